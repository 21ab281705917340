/**
 * The dump of a registry with random sets, of which a third are route-sets: members of members, cycles, names that do
 * not exist, members by reference with and without permission, ranges of prefixes. Always the same for a size.
 */
export function randomRegistry(sets: number): string {
  const random = randomNumbers(20_260_101);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const several = <T>(max: number, make: () => T) => Array.from({ length: below(max + 1) }, make);

  const asNumber = (n: number) => `AS${64_512 + n}`;
  const asNumbers = Array.from({ length: 60 }, (_, n) => asNumber(n));
  const names = Array.from({ length: sets }, (_, n) => {
    const own = `${n % 3 === 2 ? 'RS' : 'AS'}-S${n}`;
    return n % 5 === 0 ? `${asNumber(n % 60)}:${own}` : own;
  });
  const isRouteSet = (name: string) => /\bRS-/.test(name);
  const asSets = names.filter((name) => !isRouteSet(name));
  const routeSets = names.filter(isRouteSet);
  const maintainers = ['A-MNT', 'B-MNT', 'C-MNT'];

  const ipv4 = () => {
    const length = 18 + below(7);
    const network = below(2 ** (length - 8)) * 2 ** (32 - length);
    return `10.${[16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256).join('.')}/${length}`;
  };
  const ipv6 = () => `2001:db8:${(below(65_535) + 1).toString(16)}::/48`;
  const inRange = (prefix: string) => {
    const length = Number(prefix.split('/')[1]);
    return oneOf([
      prefix,
      prefix,
      `${prefix}^${length}-${length + 2}`,
      `${prefix}^${length + 1}`,
      `${prefix}^${length + 1}-${length + 1}`,
    ]);
  };

  const object = (...attributes: readonly (readonly [string, string])[]) =>
    [...attributes, ['source', 'TEST'] as const]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`)
      .join('');
  const memberOf = (of: readonly string[]) => (below(4) === 0 ? oneOf(of) : '');
  const byRef = () => (below(3) === 0 ? oneOf(['ANY', 'A-MNT', 'B-MNT, C-MNT']) : '');

  const routes = Array.from({ length: 600 }, (_, n) => {
    const type = n % 4 === 3 ? 'route6' : 'route';
    return object(
      [type, type === 'route' ? ipv4() : ipv6()],
      ['origin', oneOf(asNumbers)],
      ['member-of', memberOf(routeSets)],
      ['mnt-by', oneOf(maintainers)],
    );
  });
  const autNums = asNumbers.map((name) =>
    object(['aut-num', name], ['as-name', 'EXAMPLE'], ['member-of', memberOf(asSets)], ['mnt-by', oneOf(maintainers)]),
  );
  const unknown = ['AS-NOBODY', 'RS-NOBODY', 'AS4200000000'];
  const ofAsSet = () =>
    oneOf([oneOf(asNumbers), oneOf(asSets), oneOf(asSets), below(20) === 0 ? 'AS-NOBODY' : oneOf(asNumbers)]);
  const ofRouteSet = () =>
    oneOf([
      inRange(ipv4()),
      inRange(ipv4()),
      oneOf(names),
      oneOf(asNumbers),
      below(20) === 0 ? oneOf(unknown) : ipv4(),
    ]);
  const setObjects = names.map((name) =>
    isRouteSet(name)
      ? object(
          ['route-set', name],
          ['members', several(5, ofRouteSet).join(', ')],
          ['mp-members', several(3, () => inRange(ipv6())).join(', ')],
          ['mbrs-by-ref', byRef()],
          ['mnt-by', oneOf(maintainers)],
        )
      : object(
          ['as-set', name],
          ['members', several(6, ofAsSet).join(', ')],
          ['mbrs-by-ref', byRef()],
          ['mnt-by', oneOf(maintainers)],
        ),
  );
  // A pair of prefix and origin is an object once.
  const keys = new Set<string>();
  const once = routes.filter((text) => {
    const key = text.split('\n', 2).join();
    return !keys.has(key) && keys.add(key);
  });
  return [...once, ...autNums, ...setObjects].join('\n');
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
