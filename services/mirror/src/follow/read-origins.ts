import { readFileSync } from 'node:fs';
import { expandPreset, isRecord } from '@cadastre/nrtm';
import { errorText, SettingsError } from '@cadastre/service';
import { readDumpOrigin } from './dump/origin.js';
import { readNrtm3Origin } from './nrtm3/origin.js';
import { readNrtm4Origin } from './nrtm4/origin.js';
import type { Origin, OriginKind, ReadOrigin } from './origin.js';

/** The origins of our copies, by the names of their sources, upper case. */
export type Origins = ReadonlyMap<string, Origin>;

const readers: { readonly [kind in OriginKind]: ReadOrigin } = {
  nrtm4: readNrtm4Origin,
  nrtm3: readNrtm3Origin,
  dump: readDumpOrigin,
};

/**
 * Reads the file of CADASTRE_MIRROR_ORIGINS_FILE. Throws a SettingsError with all its faults.
 * @param proxy URL of the HTTP proxy through which files of the origins come.
 */
export function readOriginsFile(file: string, grsSources: readonly string[], proxy?: string): Origins {
  const { origins, faults } = readOrigins(contentOf(file), grsSources, proxy);
  if (faults.length > 0) throw new SettingsError(faults.map((fault) => `CADASTRE_MIRROR_ORIGINS_FILE: ${fault}`));
  return origins;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError([`CADASTRE_MIRROR_ORIGINS_FILE: cannot be read as JSON: ${errorText(error)}`]);
  }
}

function readOrigins(
  content: unknown,
  grsSources: readonly string[],
  proxy: string | undefined,
): { origins: Origins; faults: string[] } {
  if (!isRecord(content)) return { origins: new Map(), faults: ['must be an object of sources'] };
  const copies = new Set(grsSources.map((name) => name.toUpperCase()));
  const origins = new Map<string, Origin>();
  const faults: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const source = name.toUpperCase();
    if (!copies.has(source)) faults.push(`${name}: is not in CADASTRE_GRS_SOURCES`);
    const read = readOrigin(value, source, proxy);
    if (!read.ok) faults.push(...read.faults.map((fault) => `${name}: ${fault}`));
    else origins.set(source, read.value);
  }
  return { origins, faults };
}

const readOrigin: ReadOrigin = (value, source, proxy) => {
  const [kind, ...others] = Object.keys(isRecord(value) ? value : {});
  const isKind = kind !== undefined && others.length === 0 && (kind === 'preset' || Object.hasOwn(readers, kind));
  if (!isKind) return { ok: false, faults: [`must have exactly one of: ${Object.keys(readers).join(', ')}, preset`] };
  const members = (value as Record<string, unknown>)[kind];
  const read = kind === 'preset' ? readPreset : readers[kind as OriginKind];
  const result = read(members, source, proxy);
  return result.ok ? result : { ok: false, faults: result.faults.map((fault) => `${kind}: ${fault}`) };
};

/** An origin with the facts of a known registry. */
const readPreset: ReadOrigin = (value, source, proxy) => {
  const expanded = expandPreset(value);
  return expanded.ok ? readers[expanded.value.kind](expanded.value.members, source, proxy) : expanded;
};
