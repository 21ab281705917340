import type { ObjectTypeName } from '@cadastre/rpsl';
import type { RegistryPlan } from '@cadastre/synthetic';

/** Formats of the requested objects. */
export type Format = 'json' | 'xml';

/** Coprime to all relevant counts, so that steps of this length reach every object before any repeats. */
const stride = 7_368_787;

/** Paths of lookups of up to `most` objects, spread over the whole registry, without duplicates. */
export function lookupPaths(plan: RegistryPlan, format: Format, most: number): string[] {
  const total = Object.values(plan.counts).reduce((sum, count) => sum + count, 0);
  const length = Math.min(total, most);
  return Array.from({ length }, (_, step) => pathOf(plan, format, (step * stride) % total));
}

/** The path of the n-th object of the registry. */
function pathOf(plan: RegistryPlan, format: Format, n: number): string {
  let index = n;
  for (const [type, count] of Object.entries(plan.counts) as [ObjectTypeName, number][]) {
    if (index < count) {
      return `/${plan.source}/${type}/${encodeURIComponent(plan.key(type, index))}.${format}`;
    }
    index -= count;
  }
  throw new RangeError(`The registry has no object ${n}`);
}
