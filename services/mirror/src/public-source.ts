import { nonAuthoritativeName, nonAuthoritativeTypes, type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { SettingsError } from '@cadastre/service';
import type { MirrorSettings } from './settings.js';

/** A source as followers know it: one of our sources without its non-authoritative part, or that part. */
export interface PublicSource {
  /** The `source` of its objects, upper case. */
  readonly name: string;
  /** Our source with its objects and serials. Upper case. */
  readonly store: string;
  /** The types that its objects may have. */
  readonly types: readonly ObjectTypeName[];
}

/**
 * The sources of a setting by name, each once. Throws a SettingsError with those that the registry does not have.
 * @param setting Name of the setting.
 */
export function publicSources(
  setting: string,
  names: readonly string[],
  { source, grsSources }: Pick<MirrorSettings, 'source' | 'grsSources'>,
): PublicSource[] {
  const main = source.toUpperCase();
  const part: PublicSource = { name: nonAuthoritativeName(main), store: main, types: nonAuthoritativeTypes };
  const whole = [main, ...grsSources.map((name) => name.toUpperCase())];
  const known = new Map([part, ...whole.map(wholeSource)].map((one) => [one.name, one]));
  const requested = [...new Set(names.map((name) => name.toUpperCase()))].sort();
  const unknown = requested.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SettingsError([`${setting}: unknown source ${unknown.join(', ')}`]);
  return requested.map((name) => known.get(name)!);
}

/** One of our sources with all types. */
export function wholeSource(name: string): PublicSource {
  return { name, store: name, types: objectTypeNames };
}
