import type { VersionEntry } from '@cadastre/client';
import { diffLines, isHiddenFromVersions, objectType } from '@cadastre/rpsl';
import { isDeletion } from '../api/versions.js';

/** The two compared versions; `from` is 0 when there is none before. */
export interface ComparedVersions {
  readonly from: number;
  readonly to: number;
}

/** The versions that an address compares (`from`, `to`); without them, the newest two. */
export function comparedVersions(query: URLSearchParams, versions: readonly VersionEntry[]): ComparedVersions {
  const states = versions.filter((version) => !isDeletion(version)).map(({ revision }) => revision);
  const chosen = (parameter: string) => states.find((revision) => String(revision) === query.get(parameter));
  const to = chosen('to') ?? states[0] ?? 0;
  return { from: chosen('from') ?? states.find((revision) => revision < to) ?? 0, to };
}

/** The parameters of an address that compares two versions. */
export function comparisonParameters({ from, to }: ComparedVersions): Record<string, string> {
  return { from: String(from), to: String(to) };
}

/**
 * Two versions that look the same, apart from the time of the change, may differ in what versions omit. Returns the
 * names of these attributes; undefined when the versions show a difference.
 */
export function hiddenAttributes(type: string, before: string, after: string): string[] | undefined {
  const changes = diffLines(before, after).filter(({ kind }) => kind !== 'same');
  if (!changes.every(({ text }) => text.startsWith('last-modified:'))) return undefined;
  return objectType(type)
    ?.attributes.map(({ name }) => name as string)
    .filter(isHiddenFromVersions);
}
