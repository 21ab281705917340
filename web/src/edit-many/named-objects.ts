import { type ObjectTypeName, objectType, spelledKey } from '@cadastre/rpsl';
import { nameOfLocator, namePath, type ObjectName } from '../paths.js';

/**
 * Reads names of objects, one on each line: `type key`, `type: key`, the address of a page or of the REST interface, or
 * a key alone if its form determines the type. Skips blank lines and comments. Returns each name once, in their order,
 * and the lines that name none.
 */
export function readNames(text: string, source: string) {
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)[#%].*/, '').trim());
  const read = lines.filter((line) => line !== '').map((line) => ({ line, name: readName(line, source) }));
  const names = new Map<string, ObjectName>();
  for (const { name } of read) if (name && !names.has(folded(name))) names.set(folded(name), name);
  return { names: [...names.values()], unknown: read.filter(({ name }) => !name).map(({ line }) => line) };
}

function readName(line: string, source: string): ObjectName | undefined {
  const address = line
    .replace(/^([a-z]+:\/\/[^/]+)?\/-\/(object|edit)\//i, '')
    .replace(/(\.(json|xml|txt))?(\?.*)?$/, '');
  const located = nameOfLocator(address);
  if (located && objectType(located.type)) {
    return located.source === source ? named(source, located.type, located.key) : undefined;
  }
  const [, type = '', key = ''] = /^([a-z0-9-]+)(?::|\s)\s*(.+)$/i.exec(line) ?? [];
  return objectType(type.toLowerCase()) ? named(source, type.toLowerCase(), key) : nameOfKey(source, line);
}

/** A name with its key as the registry shows it. */
function named(source: string, type: string, key: string): ObjectName | undefined {
  const known = objectType(type);
  const spelled = known && spelledKey(known.name, key);
  return spelled && { source, type: known.name, key: spelled.shown };
}

/** Keys with a form of their own. */
const explainingForms: readonly (readonly [RegExp, ObjectTypeName])[] = [
  [/^[\d.]+(\/\d+|\s*-\s*[\d.]+)?$/, 'inetnum'],
  [/^[\da-f]*:[\da-f:.]*\/\d+$/i, 'inet6num'],
  [/^[\d.]+\/\d+\s*as\d+$/i, 'route'],
  [/^[\da-f]*:[\da-f:.]*\/\d+\s*as\d+$/i, 'route6'],
  [/^as\d+$/i, 'aut-num'],
  [/^as\d+\s*-\s*as\d+$/i, 'as-block'],
  [/^(as\d+:)?as-/i, 'as-set'],
  [/^(as\d+:)?rs-/i, 'route-set'],
  [/\.arpa\.?$/i, 'domain'],
  [/^org-/i, 'organisation'],
  [/^irt-/i, 'irt'],
  [/^(pgpkey|x509)-/i, 'key-cert'],
  [/-mnt$/i, 'mntner'],
];

function nameOfKey(source: string, key: string): ObjectName | undefined {
  const [, type] = explainingForms.find(([form]) => form.test(key)) ?? [];
  return type && named(source, type, key);
}

function folded(name: ObjectName): string {
  return namePath(name).toLowerCase();
}

/** The names as text, which `readNames` reads. */
export function namesText(names: readonly ObjectName[]): string {
  return names.map(({ type, key }) => `${type} ${key}\n`).join('');
}
