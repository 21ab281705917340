import { nonAuthoritativeName, nonAuthoritativeTypes, type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { type PublicTexts, SettingsError } from '@cadastre/service';
import type { MirrorSettings } from './settings.js';

/** A source as followers know it: one of our sources without its non-authoritative part, or that part. */
export interface PublicSource {
  /** The `source` of its objects, upper case. */
  readonly name: string;
  /** Our source with its objects and serials. Upper case. */
  readonly store: string;
  /** The types that its objects may have. */
  readonly types: readonly ObjectTypeName[];
  /** The free texts that its objects keep. */
  readonly texts: ReadonlySet<string>;
}

/**
 * The sources of a setting by name, each once. Throws a SettingsError with those that the registry does not have.
 * @param setting Name of the setting.
 */
export function publicSources(
  setting: string,
  names: readonly string[],
  { source, grsSources, publicTexts }: Pick<MirrorSettings, 'source' | 'grsSources' | 'publicTexts'>,
): PublicSource[] {
  const main = source.toUpperCase();
  const name = nonAuthoritativeName(main);
  const part = { name, store: main, types: nonAuthoritativeTypes, texts: textsOf(name, publicTexts) };
  const whole = [main, ...grsSources].map((one) => wholeSource(one.toUpperCase(), publicTexts));
  const known = new Map([part, ...whole].map((one) => [one.name, one]));
  const others = [...publicTexts.keys()].filter((one) => !known.has(one));
  if (others.length > 0) throw new SettingsError([`CADASTRE_PUBLIC_TEXTS: unknown source ${others.join(', ')}`]);
  const requested = [...new Set(names.map((name) => name.toUpperCase()))].sort();
  const unknown = requested.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SettingsError([`${setting}: unknown source ${unknown.join(', ')}`]);
  return requested.map((name) => known.get(name)!);
}

/** One of our sources with all types. */
export function wholeSource(name: string, publicTexts: PublicTexts = new Map()): PublicSource {
  return { name, store: name, types: objectTypeNames, texts: textsOf(name, publicTexts) };
}

function textsOf(name: string, publicTexts: PublicTexts): ReadonlySet<string> {
  return publicTexts.get(name) ?? new Set();
}
