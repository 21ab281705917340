import { asciiUpperCase, nonAuthoritativeName } from '@cadastre/rpsl';
import { SettingsError } from '@cadastre/service';
import { type KnownSources, sourceOf } from './sources.js';

/**
 * Reads the setting. Throws a SettingsError for a name that a source or another alias has, and for an unknown source:
 * an alias in an alias is one, so that no list can be endless.
 */
export function readSourceAliases(
  entries: readonly (readonly [string, readonly string[]])[],
  known: Pick<KnownSources, 'main' | 'mirrors'>,
): ReadonlyMap<string, readonly string[]> {
  const stores = [known.main, nonAuthoritativeName(known.main), ...known.mirrors];
  const aliases = new Map<string, readonly string[]>();
  const faults: string[] = [];
  for (const [given, list] of entries) {
    const name = asciiUpperCase(given);
    const sources = list.map(asciiUpperCase);
    const unknown = sources.filter((one) => !stores.includes(one));
    if (!/^[A-Z][A-Z0-9_-]*$/.test(name)) faults.push(`"${given}" is no name of a source`);
    else if (sourceOf(name, known) !== undefined) faults.push(`${name} is a source`);
    else if (aliases.has(name)) faults.push(`${name} is there twice`);
    else if (unknown.length > 0) faults.push(`${name}: unknown source ${unknown.join(', ')}`);
    aliases.set(name, [...new Set(sources)]);
  }
  if (faults.length > 0) throw new SettingsError(faults.map((fault) => `CADASTRE_SOURCE_ALIASES: ${fault}`));
  return aliases;
}
