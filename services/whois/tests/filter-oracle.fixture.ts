import { isIPv6 } from 'node:net';

// Expands sets by RFC 2622, section 5, from the text of a dump. It shares no code with the service on purpose.

/** The objects of a dump, as far as sets need them. */
export interface OracleRegistry {
  /** Names of sets, in the order of the dump. */
  readonly names: readonly string[];
  readonly sets: ReadonlyMap<string, Attributes>;
  readonly routes: readonly Attributes[];
  readonly autNums: readonly Attributes[];
}

/** The values of each attribute, in upper case; lists are separated. */
type Attributes = Readonly<Record<string, readonly string[]>>;

export function readRegistry(dump: string): OracleRegistry {
  const objects = dump.split(/\n\n+/).map((text) => {
    const values: Record<string, string[]> = {};
    for (const line of text.trim().split('\n')) {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      values[name] = [...(values[name] ?? []), ...value.toUpperCase().split(/\s*,\s*/)];
    }
    return values;
  });
  const nameOf = (object: Attributes) => (object['as-set'] ?? object['route-set'])?.[0];
  const sets = objects.filter((object) => nameOf(object) !== undefined);
  return {
    names: sets.map((set) => nameOf(set)!),
    sets: new Map(sets.map((set) => [nameOf(set)!, set])),
    routes: objects.filter((object) => object.route ?? object.route6),
    autNums: objects.filter((object) => object['aut-num']),
  };
}

/** The AS numbers of an as-set, in ascending order. */
export function expectedAsNumbers(registry: OracleRegistry, name: string): number[] {
  const { asNumbers } = walk(registry, name);
  return [...asNumbers].map((as) => Number(as.slice(2))).sort((a, b) => a - b);
}

/** The prefixes of a set and a family, by address and length. */
export function expectedPrefixes(registry: OracleRegistry, name: string, family: 4 | 6): string[] {
  const { asNumbers, prefixes } = walk(registry, name);
  const routes = registry.routes.filter(({ origin }) => asNumbers.has(origin![0]!)).flatMap(prefixOf);
  const all = [...routes, ...prefixes].filter((prefix) => prefix.includes(':') === (family === 6));
  const parsed = new Map(all.flatMap((prefix) => withinRange(prefix, family)).map((one) => [textOf(one, family), one]));
  return [...parsed]
    .sort(([, a], [, b]) => (a.first < b.first ? -1 : a.first > b.first ? 1 : a.length - b.length))
    .map(([text]) => text);
}

const prefixOf = (route: Attributes) => route.route ?? route.route6 ?? [];

/** Everything that a set has by its members, their members, and by reference. */
function walk({ sets, routes, autNums }: OracleRegistry, top: string) {
  const asNumbers = new Set<string>();
  const prefixes = new Set<string>();
  const seen = new Set<string>();
  const left = [top];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const set = sets.get(name);
    if (set === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const member of [...(set.members ?? []), ...(set['mp-members'] ?? [])]) {
      if (/^AS\d+$/.test(member)) asNumbers.add(member);
      else if (member.includes('/')) prefixes.add(member);
      else left.push(member);
    }
    const isAllowed = (object: Attributes) =>
      object['member-of']?.includes(name) &&
      set['mbrs-by-ref']?.some((by) => by === 'ANY' || object['mnt-by']!.includes(by));
    if ('as-set' in set) for (const one of autNums) if (isAllowed(one)) asNumbers.add(one['aut-num']![0]!);
    if ('route-set' in set) for (const one of routes) if (isAllowed(one)) prefixes.add(prefixOf(one)[0]!);
  }
  return { asNumbers, prefixes };
}

interface Prefix {
  readonly first: bigint;
  readonly length: number;
}

/** The prefixes of `network/length`, `^n` and `^n-m` of it. */
function withinRange(text: string, family: 4 | 6): Prefix[] {
  const [, network = '', own = '', low = own, high = low] = /^(.*)\/(\d+)(?:\^(\d+)(?:-(\d+))?)?$/.exec(text) ?? [];
  const first = addressOf(network, family);
  const bits = family === 4 ? 32 : 128;
  const found: Prefix[] = [];
  for (let length = Number(low); length <= Number(high); length++) {
    for (let n = 0n; n < 1n << BigInt(length - Number(own)); n++) {
      found.push({ first: first + (n << BigInt(bits - length)), length });
    }
  }
  return found;
}

function addressOf(text: string, family: 4 | 6): bigint {
  if (family === 4) return text.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const between = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array<string>(between).fill('0'), ...after];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function textOf({ first, length }: Prefix, family: 4 | 6): string {
  if (family === 4) return `${[24n, 16n, 8n, 0n].map((shift) => (first >> shift) % 256n).join('.')}/${length}`;
  const groups = Array.from({ length: 8 }, (_, n) => ((first >> BigInt(112 - 16 * n)) % 65_536n).toString(16));
  const address = groups.join(':');
  // All of these networks end with zeros, and have none before.
  const short = address.replace(/(:0)+$/, '::').replace(/^0(::)?$/, '::');
  if (!isIPv6(short)) throw new Error(`not an address: ${short}`);
  return `${short}/${length}`;
}
