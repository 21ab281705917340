import { ContainedScope, EnclosingScope } from '@cadastre/proto/objects';
import { parseResource } from '@cadastre/rpsl';
import { beforeAll, describe, expect, test } from 'vitest';
import { findContained, findEnclosing, findOverlapping } from '../src/store/hierarchy.js';
import { hierarchyOf, inetnum, put, remove, text, useContext } from './test-context.js';

const setup = useContext();

const rest = [
  ['mnt-by', 'ONE-MNT'],
  ['source', 'TEST'],
] as const;

const inet6num = (prefix: string) =>
  text([
    ['inet6num', prefix],
    ['netname', 'EXAMPLE-NET'],
    ['country', 'NL'],
    ['admin-c', 'SB1-TEST'],
    ['tech-c', 'SB1-TEST'],
    ['status', 'ASSIGNED'],
    ...rest,
  ]);
const route = (prefix: string, origin: string) => text([['route', prefix], ['origin', origin], ...rest]);
const asBlock = (range: string) => text([['as-block', range], ...rest]);
const autNum = (as: string) =>
  text([['aut-num', as], ['as-name', 'EXAMPLE-AS'], ['admin-c', 'SB1-TEST'], ['tech-c', 'SB1-TEST'], ...rest]);
const domain = (name: string) =>
  text([
    ['domain', name],
    ['admin-c', 'SB1-TEST'],
    ['tech-c', 'SB1-TEST'],
    ['zone-c', 'SB1-TEST'],
    ['nserver', 'ns1.example.net'],
    ['nserver', 'ns2.example.net'],
    ...rest,
  ]);

const whole = '0.0.0.0 - 255.255.255.255';
const ten = '10.0.0.0 - 10.255.255.255';
const odd = '10.1.0.0 - 10.1.2.255'; // three /24: no prefix
const inner = '10.1.1.0 - 10.1.1.255';
const oddInner = '10.1.1.3 - 10.1.1.9';
const last = '255.255.255.0 - 255.255.255.255';

beforeAll(async () => {
  const objects = [
    ...[whole, ten, odd, inner, oddInner, last].map((range) => inetnum(range)),
    ...['::/0', '2001:db8::/32', '2001:db8:1::/48', '2001:db8:1:2::/64', 'ffff:ffff::/32'].map(inet6num),
    route('10.1.0.0/16', 'AS64500'),
    route('10.1.0.0/16', 'AS64501'),
    route('10.0.0.0/8', 'AS64500'),
    ...['AS64496 - AS64511', 'AS0 - AS4294967295'].map(asBlock),
    ...['AS64500', 'AS64505'].map(autNum),
    ...['1.10.in-addr.arpa', '0-15.1.1.10.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'].map(domain),
    inetnum('10.9.0.0 - 10.9.0.255'),
  ];
  for (const object of objects) await put(setup.context, object);
  await remove(setup.context, 'inetnum', '10.9.0.0 - 10.9.0.255');
});

describe('BatchFindEnclosing', () => {
  test.each([
    ['an object with others inside', odd, 'inetnum', true],
    ['the smallest object around an address', '10.1.1.5', 'inetnum', false],
    ['the smallest object around a range that is none', '10.1.1.0 - 10.1.1.9', 'inetnum', true],
    ['objects of other types inside do not count', '10.1.0.0/16', 'route', false],
    ['a deleted object does not count', '10.9.0.0/16', 'inetnum', true],
    ['an IPv6 network', '2001:db8:1::/48', 'inet6num', true],
    ['the smallest IPv6 network', '2001:db8:1:2::/64', 'inet6num', false],
    ['a zone', '10.1.0.0/16', 'domain', true],
    ['the smallest zone', '10.1.1.1', 'domain', false],
    ['nothing', '192.0.2.0/24', 'route', false],
  ])('tells whether others lie inside: %s', async (_what, resource, type, holding) => {
    const request = { source: 'TEST', types: [type], scope: EnclosingScope.ENCLOSING_SCOPE_ALL, view: 0 };
    const answerOf = async (reportHolding?: boolean) => {
      const requested = { ...request, resources: [resource, 'x'], shareObjects: true, maxObjects: 2, reportHolding };
      const { answers } = await hierarchyOf(setup.context).batchFindEnclosing(requested);
      return answers.map((answer) => answer.holding);
    };
    expect(await answerOf(true)).toEqual([holding, undefined]);
    expect(await answerOf()).toEqual([undefined, undefined]);
  });

  const { ENCLOSING_SCOPE_ALL, ENCLOSING_SCOPE_EXACT, ENCLOSING_SCOPE_NEAREST, ENCLOSING_SCOPE_PARENT } =
    EnclosingScope;

  test.each([
    ['10.1.1.5', 'inetnum', ENCLOSING_SCOPE_NEAREST, [oddInner]],
    ['10.1.1.3-10.1.1.9', 'inetnum', ENCLOSING_SCOPE_NEAREST, [oddInner]],
    ['10.1.1.3-10.1.1.9', 'inetnum', ENCLOSING_SCOPE_EXACT, [oddInner]],
    ['10.1.1.3-10.1.1.9', 'inetnum', ENCLOSING_SCOPE_PARENT, [inner]],
    ['10.1.1.3-10.1.1.10', 'inetnum', ENCLOSING_SCOPE_NEAREST, [inner]],
    ['10.1.1.3-10.1.1.10', 'inetnum', ENCLOSING_SCOPE_EXACT, []],
    ['10.1.2.0/24', 'inetnum', ENCLOSING_SCOPE_ALL, [odd, ten, whole]],
    ['10.9.0.0/24', 'inetnum', ENCLOSING_SCOPE_NEAREST, [ten]],
    ['255.255.255.255', 'inetnum', ENCLOSING_SCOPE_ALL, [last, whole]],
    ['0.0.0.0/0', 'inetnum', ENCLOSING_SCOPE_NEAREST, [whole]],
    ['0.0.0.0/0', 'inetnum', ENCLOSING_SCOPE_PARENT, []],
    ['2001:db8:1:2::1', 'inet6num', ENCLOSING_SCOPE_NEAREST, ['2001:db8:1:2::/64']],
    ['2001:db8:1:2::/64', 'inet6num', ENCLOSING_SCOPE_PARENT, ['2001:db8:1::/48']],
    ['2001:db8:1::/48', 'inet6num', ENCLOSING_SCOPE_ALL, ['2001:db8:1::/48', '2001:db8::/32', '::/0']],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'inet6num', ENCLOSING_SCOPE_NEAREST, ['ffff:ffff::/32']],
    ['2001:db9::/32', 'inet6num', ENCLOSING_SCOPE_EXACT, []],
    ['2001:db8::/32', 'inetnum', ENCLOSING_SCOPE_NEAREST, []],
    ['10.1.0.0/16', 'route', ENCLOSING_SCOPE_NEAREST, ['10.1.0.0/16AS64500', '10.1.0.0/16AS64501']],
    ['10.1.0.0/16', 'route', ENCLOSING_SCOPE_PARENT, ['10.0.0.0/8AS64500']],
    ['AS64500', 'as-block', ENCLOSING_SCOPE_NEAREST, ['AS64496 - AS64511']],
    ['AS64496-AS64511', 'as-block', ENCLOSING_SCOPE_PARENT, ['AS0 - AS4294967295']],
    ['AS4294967295', 'as-block', ENCLOSING_SCOPE_NEAREST, ['AS0 - AS4294967295']],
    ['AS64500', 'aut-num', ENCLOSING_SCOPE_NEAREST, ['AS64500']],
    ['AS64501', 'aut-num', ENCLOSING_SCOPE_NEAREST, []],
    ['10.1.1.7', 'domain', ENCLOSING_SCOPE_ALL, ['0-15.1.1.10.in-addr.arpa', '1.10.in-addr.arpa']],
    ['2001:db8::1', 'domain', ENCLOSING_SCOPE_NEAREST, ['8.b.d.0.1.0.0.2.ip6.arpa']],
    ['10.1.1.7', 'mntner', ENCLOSING_SCOPE_ALL, []],
  ])('%s: %s, scope %i', async (resource, type, scope, keys) => {
    const request = { source: 'TEST', resources: [resource], types: [type], scope, view: 0, shareObjects: false };
    const { answers } = await hierarchyOf(setup.context).batchFindEnclosing(request);
    expect(answers[0]!.objects.map((object) => object.key)).toEqual(keys);
  });

  test('answers in the order of the resources and names invalid ones', async () => {
    const { answers } = await hierarchyOf(setup.context).batchFindEnclosing({
      source: 'TEST',
      resources: ['AS64505', 'nonsense', '2001:db8::1', '10.1.1.1'],
      types: [],
      scope: 0,
      view: 0,
      shareObjects: false,
    });
    expect(answers.map(({ invalid, objects }) => [invalid, objects.map((object) => object.key)])).toEqual([
      [false, ['AS64505']],
      [true, []],
      [false, ['2001:db8::/32']],
      [false, [inner]],
    ]);
  });

  test.each([
    ['10.1.0.0/16', ENCLOSING_SCOPE_NEAREST, ['10.1.0.0/16AS64500']],
    ['10.1.0.0/16', ENCLOSING_SCOPE_ALL, ['10.1.0.0/16AS64500', '10.1.0.0/16AS64501', '10.0.0.0/8AS64500']],
  ])('finds at most as many objects of each type as asked for: %s, scope %i', async (resource, scope, keys) => {
    const request = { source: 'TEST', types: ['inetnum', 'route'], scope, view: 0, shareObjects: true };
    const found = await hierarchyOf(setup.context).batchFindEnclosing({
      ...request,
      resources: [resource, '10.1.7.7'],
      maxObjects: keys.length,
    });
    const keysOf = (positions: number[]) => positions.map((at) => found.objects[at]!);
    for (const { positions } of found.answers) {
      expect(keysOf(positions).flatMap(({ type, key }) => (type === 'route' ? [key] : []))).toEqual(keys);
      expect(keysOf(positions).filter(({ type }) => type === 'inetnum').length).toBeLessThanOrEqual(keys.length);
    }
  });

  test('refuses unknown sources and types and more than 1,000 resources', async () => {
    const request = {
      source: 'TEST',
      resources: ['AS1'],
      types: [] as string[],
      scope: 0,
      view: 0,
      shareObjects: false,
    };
    for (const wrong of [{ source: 'NO' }, { types: ['no'] }, { resources: new Array(1001).fill('AS1') }]) {
      const answer = hierarchyOf(setup.context).batchFindEnclosing({ ...request, ...wrong });
      await expect(answer).rejects.toMatchObject({ kind: 'invalid' });
    }
  });
});

describe('ListContained', () => {
  const { CONTAINED_SCOPE_ALL, CONTAINED_SCOPE_CHILDREN } = ContainedScope;

  async function contained(resource: string, type: string, scope: ContainedScope, limit = 0) {
    const keys: string[] = [];
    const request = { source: 'TEST', resource, type, scope, limit, view: 0 };
    for await (const { objects } of hierarchyOf(setup.context).listContained(request)) {
      keys.push(...objects.map((object) => object.key));
    }
    return keys;
  }

  test.each([
    ['0.0.0.0/0', 'inetnum', CONTAINED_SCOPE_CHILDREN, [ten, last]],
    ['0.0.0.0/0', 'inetnum', CONTAINED_SCOPE_ALL, [ten, odd, inner, oddInner, last]],
    ['10.0.0.0/8', 'inetnum', CONTAINED_SCOPE_CHILDREN, [odd]],
    ['10.1.1.2 - 10.1.1.9', 'inetnum', CONTAINED_SCOPE_ALL, [oddInner]],
    ['10.1.1.3 - 10.1.1.9', 'inetnum', CONTAINED_SCOPE_ALL, []],
    ['10.1.1.4 - 10.1.1.20', 'inetnum', CONTAINED_SCOPE_ALL, []],
    ['::/0', 'inet6num', CONTAINED_SCOPE_CHILDREN, ['2001:db8::/32', 'ffff:ffff::/32']],
    ['2001:db8::/32', 'inet6num', CONTAINED_SCOPE_ALL, ['2001:db8:1::/48', '2001:db8:1:2::/64']],
    ['10.0.0.0/8', 'route', CONTAINED_SCOPE_CHILDREN, ['10.1.0.0/16AS64500', '10.1.0.0/16AS64501']],
    ['AS64496 - AS64511', 'aut-num', CONTAINED_SCOPE_ALL, ['AS64500', 'AS64505']],
    ['AS0 - AS4294967295', 'as-block', CONTAINED_SCOPE_CHILDREN, ['AS64496 - AS64511']],
    ['10.0.0.0/8', 'domain', CONTAINED_SCOPE_CHILDREN, ['1.10.in-addr.arpa']],
    ['10.0.0.0/8', 'person', CONTAINED_SCOPE_ALL, []],
  ])('%s: %s, scope %i', async (resource, type, scope, keys) => {
    expect(await contained(resource, type, scope)).toEqual(keys);
  });

  test('stops at the limit', async () => {
    expect(await contained('0.0.0.0/0', 'inetnum', CONTAINED_SCOPE_ALL, 2)).toEqual([ten, odd]);
    expect(await contained('0.0.0.0/0', 'inetnum', CONTAINED_SCOPE_CHILDREN, 2)).toEqual([ten, last]);
  });

  test('refuses other text than a resource', async () => {
    await expect(contained('nonsense', 'inetnum', CONTAINED_SCOPE_ALL)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('queries of the update rules', () => {
  const keys = (objects: { key: string }[]) => objects.map((object) => object.key);
  const resource = (written: string) => parseResource(written)!;

  test.each([
    ['10.1.1.0 - 10.1.1.5', [oddInner]],
    ['10.1.1.5 - 10.1.1.200', [oddInner]],
    ['10.1.1.4 - 10.1.1.8', []],
    ['10.1.1.0 - 10.1.1.255', []],
    ['10.1.1.3 - 10.1.1.9', []],
    ['10.1.0.255 - 10.1.1.9', [inner]],
    ['9.0.0.0 - 10.0.0.0', [ten]],
  ])('partial overlaps with %s', async (range, expected) => {
    const { readPool, sources } = setup.context;
    expect(keys(await findOverlapping(readPool, sources.main.id, 'inetnum', resource(range), 10))).toEqual(expected);
  });

  test('partial overlaps of AS blocks', async () => {
    const { readPool, sources } = setup.context;
    const found = await findOverlapping(readPool, sources.main.id, 'as-block', resource('AS64500 - AS64600'), 10);
    expect(keys(found)).toEqual(['as64496 - as64511']);
  });

  test('children, and objects that enclose', async () => {
    const { readPool, sources } = setup.context;
    const id = sources.main.id;
    expect(keys(await findContained(readPool, id, 'inetnum', resource('10.0.0.0/8'), 'children', 5))).toEqual([odd]);
    expect(keys(await findEnclosing(readPool, id, 'inetnum', resource('10.0.0.0/8')))).toEqual([ten, whole]);
  });
});
