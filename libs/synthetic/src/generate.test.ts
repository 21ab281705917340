import {
  contains,
  controlCharacters,
  convertObject,
  foldKey,
  normalise,
  type ObjectTypeName,
  objectTypeNames,
  parseObject,
  primaryKey,
  printObject,
  type RpslObject,
  rangeOf,
  referencesOf,
  validate,
  valuesOf,
} from '@cadastre/rpsl';
import { describe, expect, inject, it } from 'vitest';
import { generateRegistry } from './generate.js';
import { type RegistryPlan, registryPlan } from './plan.js';
import type { RegistryOptions } from './registry.js';

const many = inject('counts').syntheticObjects;

const registries: RegistryOptions[] = [
  { objects: many, seed: 1, source: 'TEST' },
  { objects: many, seed: 20261121, source: 'EXAMPLE-2' },
  { objects: many, seed: -7, source: 'test' },
  { objects: 100, seed: 2, source: 'TEST' },
  { objects: 377, seed: 3, source: 'TEST' },
];

interface Readable {
  readonly object: RpslObject;
}

interface Generated {
  readonly plan: RegistryPlan;
  readonly texts: readonly string[];
  readonly objects: readonly RpslObject[];
}

function generate(options: RegistryOptions): Generated {
  const texts = [...generateRegistry(options)];
  const parsed = texts.map((text) => parseObject(text));
  expect(texts.filter((_, n) => !parsed[n]!.ok)).toEqual([]);
  const objects = parsed.map((each) => (each as Readable).object);
  return { plan: registryPlan(options), texts, objects };
}

function keyOf(object: RpslObject): string {
  const key = primaryKey(object);
  if (!('folded' in key)) throw new Error(`No primary key in ${printObject(object)}`);
  return key.folded;
}

// An expectation for each of many objects would cost more than what it checks.
describe.each(registries)('registry of $objects objects, seed $seed, source $source', (options) => {
  const { plan, texts, objects } = generate(options);
  const stored = new Map(objects.map((object) => [`${object.type} ${keyOf(object)}`, object]));

  it('has the requested number of objects of all types, all with different keys', () => {
    expect(texts).toHaveLength(options.objects);
    expect(stored.size).toBe(options.objects);
    for (const type of objectTypeNames) {
      expect(objects.filter((object) => object.type === type)).toHaveLength(plan.counts[type]);
    }
    const handles = objects.filter(({ type }) => type === 'person' || type === 'role').map(keyOf);
    expect(new Set(handles).size).toBe(handles.length);
  });

  it('has only valid objects', () => {
    expect(texts.filter((_, n) => validate(objects[n]!).length > 0)).toEqual([]);
  });

  it('has objects in stored form', () => {
    const altered = texts.filter((text, n) => {
      const object = objects[n]!;
      const faults = [normalise(object).messages, convertObject(object).messages, controlCharacters(object)].flat();
      return printObject(object) !== text || faults.length > 0;
    });
    expect(altered).toEqual([]);
  });

  it('refers only to objects that it has', () => {
    const missing = objects.flatMap((object) =>
      referencesOf(object).filter(({ types, key }) => !types.some((type) => stored.has(`${type} ${key}`))),
    );
    expect(missing).toEqual([]);
  });

  it('has the source in every object', () => {
    expect(new Set(objects.flatMap((object) => valuesOf(object, 'source')))).toEqual(new Set([plan.source]));
    expect(plan.source).toBe(options.source.toUpperCase());
  });

  it('matches the plan', () => {
    const seen = new Map<ObjectTypeName, number>();
    const others = texts.filter((text, n) => {
      const object = objects[n]!;
      const index = seen.get(object.type) ?? 0;
      seen.set(object.type, index + 1);
      const isKey = foldKey(object.type, plan.key(object.type, index)) === keyOf(object);
      return !isKey || plan.text(object.type, index) !== text;
    });
    expect(others).toEqual([]);
  });

  it.each(['inetnum', 'inet6num'] as const)('nests every %s as in the plan', (type) => {
    const networks = objects.filter((object) => object.type === type);
    const smallest = smallestEnclosing(networks);
    const misplaced = networks.map(keyOf).filter((key, index) => {
      const outer = plan.enclosing(type, index);
      return smallest.get(key) !== (outer && foldKey(type, outer));
    });
    expect(misplaced).toEqual([]);
  });
});

/** By sorting, independently of the generator of the tree. Fails on partial overlaps. */
function smallestEnclosing(networks: readonly RpslObject[]): Map<string, string | undefined> {
  const ranges = networks.map((network) => {
    const range = rangeOf(network) as { family: 4 | 6; first: bigint; last: bigint };
    return { key: keyOf(network), range };
  });
  ranges.sort(({ range: a }, { range: b }) => compare(a.first, b.first) || compare(b.last, a.last));
  const found = new Map<string, string | undefined>();
  const open: typeof ranges = [];
  for (const entry of ranges) {
    while (open.length > 0 && open.at(-1)!.range.last < entry.range.first) {
      open.pop();
    }
    const outer = open.at(-1);
    if (outer && !contains(outer.range, entry.range)) throw new Error(`${entry.key} overlaps ${outer.key}`);
    found.set(entry.key, outer?.key);
    open.push(entry);
  }
  return found;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

describe('a registry', () => {
  const options = { objects: 20_000, seed: 42, source: 'TEST' };

  it('depends on the seed only', () => {
    const texts = (seed: number) => [...generateRegistry({ objects: 500, seed, source: 'TEST' })].join('\n');
    expect(texts(42)).toBe(texts(42));
    expect(texts(42)).not.toBe(texts(43));
  });

  it('has the same bytes for a seed as ever', () => {
    expect(registryPlan(options).text('mntner', 7)).toMatchInlineSnapshot(`
      "mntner:         CANAL-MNT
      descr:          Maintainer of CANAL
      admin-c:        IC101-TEST
      upd-to:         updates.canal@example.net
      auth:           SSO canal@example.net
      mnt-by:         CANAL-MNT
      created:        2005-12-14T02:24:51Z
      last-modified:  2017-03-12T00:35:15Z
      source:         TEST
      "
    `);
    expect(registryPlan(options).text('inetnum', 1234)).toMatchInlineSnapshot(`
      "inetnum:        1.20.8.0 - 1.20.8.31
      netname:        ALDER-NET-1234
      descr:          Larch Galway
      country:        FR
      admin-c:        VA103-TEST
      tech-c:         UM103-TEST
      status:         ASSIGNED PA
      mnt-by:         ORCHARD-MNT
      created:        2012-04-01T13:51:17Z
      last-modified:  2024-11-06T15:09:12Z
      source:         TEST
      "
    `);
  });

  it('has a few maintainers with many objects', () => {
    const uses = new Map<string, number>();
    for (const text of generateRegistry(options)) {
      const mntner = /^mnt-by: +(.*)$/m.exec(text)?.[1] ?? '';
      uses.set(mntner, (uses.get(mntner) ?? 0) + 1);
    }
    const ordered = [...uses.values()].sort((a, b) => b - a);
    expect(ordered[0]).toBeGreaterThan(options.objects * 0.1);
    expect(ordered.length).toBeGreaterThan(100);
  });

  it('has the difficulties of real data: latin-1, comments, continuation lines, odd ranges, old credentials', () => {
    const text = [...generateRegistry(options)].join('\n');
    expect(text).toMatch(/[\u00c0-\u00ff]/);
    expect(text).not.toMatch(/[^\t\n\u0020-\u00ff]/);
    expect(text).toMatch(/^\w.* # /m);
    expect(text).toMatch(/^ {16}\S/m);
    expect(text).toMatch(/^\+$/m);
    expect(text).toMatch(/^auth: +MD5-PW /m);
    expect(text).toMatch(/^auth: +PGPKEY-/m);
    expect(text).toMatch(/^auth: +X509-/m);
    expect(text).toMatch(/^auth: +SSO /m);
    expect(text).toMatch(/^inetnum: +\S+ - \S+\.(?!255|127|63|31|15|7|3)\d+$/m);
  });

  it('refuses an impossible size', () => {
    expect(() => registryPlan({ ...options, objects: 99 })).toThrow(RangeError);
    expect(() => registryPlan({ ...options, objects: 10_000_001 })).toThrow(RangeError);
    expect(() => registryPlan({ ...options, objects: 200.5 })).toThrow(RangeError);
    expect(() => registryPlan(options).key('poem', 2)).toThrow(RangeError);
    expect(() => registryPlan(options).key('poem', -1)).toThrow(RangeError);
  });

  const largest = registryPlan({ objects: 10_000_000, seed: 1, source: 'TEST' });

  it('nests every inetnum at its largest size', () => {
    const perSlot = 120;
    const last = Math.floor((largest.counts.inetnum - 1) / perSlot) - 1;
    for (let slot = 0; slot <= last; slot += 1000) {
      const indexes = Array.from({ length: perSlot }, (_, place) => 1 + slot * perSlot + place);
      const networks = indexes.map((index) => (parseObject(largest.text('inetnum', index)) as Readable).object);
      const smallest = smallestEnclosing(networks);
      for (const [place, network] of networks.entries()) {
        const outer = largest.enclosing('inetnum', indexes[place]!);
        const expected = outer === largest.key('inetnum', 0) ? undefined : foldKey('inetnum', outer!);
        expect(smallest.get(keyOf(network)), keyOf(network)).toBe(expected);
        expect(validate(network)).toEqual([]);
      }
    }
    expect(largest.key('inetnum', largest.counts.inetnum - 1)).toMatch(/^(1?\d?\d|2[01]\d|22[0-3])\./);
  });

  it('has valid objects at its largest size', () => {
    const plan = largest;
    for (const type of ['person', 'role', 'organisation', 'route', 'domain'] as const) {
      const last = plan.counts[type] - 1;
      for (const index of [0, Math.floor(last / 2), last]) {
        expect(validate((parseObject(plan.text(type, index)) as Readable).object)).toEqual([]);
      }
    }
  });
});
