import { isObjectTypeName, type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import type { Classes } from './classes.js';

/** Members of several kinds of origins in the file of origins. Each check returns the faults. */

/** The URL of a file: https or file, also http in the operator's own network. */
export function urlFaults(name: string, text: unknown, ownNetwork: boolean): string[] {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  const allowed = ownNetwork ? ['https:', 'file:', 'http:'] : ['https:', 'file:'];
  if (url === null || !allowed.includes(url.protocol)) {
    return [`${name}: must be an https or file URL (http only with "ownNetwork")`];
  }
  return url.username || url.password ? [`${name}: must not hold credentials`] : [];
}

/** The URL of a file of a dump: also ftp and http, of which `unprotected` warns. */
export function dumpUrlFaults(name: string, text: unknown): string[] {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url === null || !['https:', 'http:', 'ftp:', 'file:'].includes(url.protocol)) {
    return [`${name}: must be an https, http, ftp or file URL`];
  }
  return url.username || url.password ? [`${name}: must not hold credentials`] : [];
}

/** Warns of files that everybody on the way can change. */
export function unprotected(urls: readonly URL[], ownNetwork: boolean): string[] {
  const protocols = [...new Set(urls.map(({ protocol }) => protocol.slice(0, -1)))];
  const open = ownNetwork ? [] : protocols.filter((protocol) => protocol === 'ftp' || protocol === 'http').sort();
  return open.length === 0
    ? []
    : [`Files come by ${open.join(' and ')}: nothing protects them from changes on the way`];
}

/** The classes that a copy follows: a list of names, or "all". */
export function classesFaults(classes: unknown): string[] {
  const isList = Array.isArray(classes) && classes.length > 0;
  if (classes === 'all' || (isList && classes.every((name) => typeof name === 'string' && isClass(name)))) return [];
  return [`classes: must be "all" or a list of: ${objectTypeNames.join(', ')}`];
}

function isClass(name: string): boolean {
  return isObjectTypeName(name.toLowerCase());
}

/** The classes of a checked member. */
export function classesOf(classes: unknown): Classes {
  if (classes === 'all') return undefined;
  return new Set((classes as string[]).map((name) => name.toLowerCase() as ObjectTypeName));
}

/** What a URL has in the place of a class, when a dump has a file for each. */
const classPlace = '{class}';

/** The URLs with one for each class instead of `{class}`. Faults: there is no list of classes. */
export function urlsByClass(urls: readonly unknown[], classes: unknown): { urls: unknown[]; faults: string[] } {
  const hasPlace = (url: unknown): url is string => typeof url === 'string' && url.includes(classPlace);
  const names = Array.isArray(classes) ? classes.map((name) => String(name).toLowerCase()) : undefined;
  if (names === undefined && urls.some(hasPlace)) {
    return { urls: [], faults: [`classes: must be a list when a URL has ${classPlace}`] };
  }
  const each = (url: string) => names!.map((name) => url.replaceAll(classPlace, () => name));
  return { urls: urls.flatMap((url) => (hasPlace(url) ? each(url) : [url])), faults: [] };
}

/** The registry's name for a source. */
export function sourceFaults(source: unknown): string[] {
  const isName = typeof source === 'string' && /^[A-Za-z][\w-]{0,79}$/.test(source);
  return isName ? [] : ['source: must be the name of a source'];
}

/** Unknown members. */
export function unknownFaults(others: object, members: readonly string[]): string[] {
  return Object.keys(others).map((name) => `${name}: is none of ${members.join(', ')}`);
}

/** The encoding of the files of a dump. */
export function encodingFaults(encoding: unknown): string[] {
  return encoding === 'latin1' || encoding === 'utf8' ? [] : ['encoding: must be latin1 or utf8'];
}

export function flagFaults(name: string, value: unknown): string[] {
  return typeof value === 'boolean' ? [] : [`${name}: must be true or false`];
}
