import type { Principal } from '@cadastre/proto/registry';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { hierarchyOf, mntner, put, remove, text, useContext } from './test-context.js';

const setup = useContext();

const network = (range: string, ...maintainers: [string, string][]) =>
  text([
    range.includes(':') ? ['inet6num', range] : ['inetnum', range],
    ['netname', 'EXAMPLE-NET'],
    ['country', 'NL'],
    ['admin-c', 'SB1-TEST'],
    ['tech-c', 'SB1-TEST'],
    ['status', 'ASSIGNED'],
    ...(maintainers.length > 0 ? maintainers : ([['mnt-by', 'ONE-MNT']] as [string, string][])),
    ['source', 'TEST'],
  ]);

const root = '0.0.0.0 - 255.255.255.255';
const block = '10.0.0.0 - 10.0.255.255';

beforeAll(async () => {
  const objects = [
    network(block),
    network('10.0.0.0 - 10.0.0.255', ['mnt-by', 'TWO-MNT']),
    network('10.0.0.0 - 10.0.0.15', ['mnt-by', 'ALICE-MNT']),
    network('10.0.1.0 - 10.0.1.255', ['mnt-by', 'TWO-MNT']),
    network('10.0.64.0 - 10.0.127.255', ['mnt-by', 'TWO-MNT'], ['mnt-lower', 'Alice-MNT']),
    network('10.0.64.0 - 10.0.64.255', ['mnt-by', 'ALICE-MNT']),
    network('10.0.255.255 - 10.0.255.255', ['mnt-by', 'TWO-MNT'], ['mnt-routes', 'ALICE-MNT ANY']),
    network('10.1.0.0 - 10.1.0.255', ['mnt-by', 'TWO-MNT']),
    network(root, ['mnt-by', 'ALICE-MNT']),
    network('::/0', ['mnt-by', 'ALICE-MNT']),
    network('2001:db8::/32', ['mnt-by', 'ALICE-MNT']),
    network('2001:db8:8000::/33', ['mnt-by', 'ALICE-MNT']),
    network('2001:db9::/48', ['mnt-by', 'ALICE-MNT']),
    network('10.0.2.0 - 10.0.2.255'),
    mntner('ALICE-MNT'),
    mntner('TWO-MNT', 'SB1-TEST', 'SSO bob@example.net'),
  ];
  for (const object of objects) await put(setup.context, object);
  await remove(setup.context, 'inetnum', '10.0.2.0 - 10.0.2.255');
});

const describeSpace = (resource: string, parts = 4, source = '') =>
  hierarchyOf(setup.context).describeSpace({ source, resource, parts });

describe('DescribeSpace', () => {
  test('tells what is inside a range, and what is free', async () => {
    expect(await describeSpace('10.0.0.0/16')).toEqual({
      source: 'TEST',
      range: '10.0.0.0/16',
      type: 'inetnum',
      addresses: '65536',
      enclosing: [block, root].map((key) => ({
        key: { source: 'TEST', type: 'inetnum', key },
        netname: 'EXAMPLE-NET',
        status: 'ASSIGNED',
        attributes: [],
      })),
      used: String(512 + 16384 + 1),
      objects: 6,
      isPartial: false,
      parts: [
        { range: '10.0.0.0/18', used: '512', objects: 3 },
        { range: '10.0.64.0/18', used: '16384', objects: 2 },
        { range: '10.0.128.0/18', used: '0', objects: 0 },
        { range: '10.0.192.0/18', used: '1', objects: 1 },
      ],
      inside: [
        '10.0.0.0 - 10.0.0.255',
        '10.0.1.0 - 10.0.1.255',
        '10.0.64.0 - 10.0.127.255',
        '10.0.255.255 - 10.0.255.255',
      ],
      free: [
        ...['10.0.128.0/18', '10.0.32.0/19', '10.0.16.0/20', '10.0.8.0/21', '10.0.4.0/22'],
        ...[23, 24, 25, 26, 27, 28, 29, 30, 31, 32].map((length) => `10.0.2.0/${length}`),
      ],
    });
  });

  it.each([
    ['2001:db8::/32', ['2001:db8::/32', '::/0'], ['2001:db8:8000::/33'], String(2n ** 95n), '2001:db8::/33'],
    [
      '2001:db8::/31',
      ['::/0'],
      ['2001:db8::/32', '2001:db9::/48'],
      String(2n ** 96n + 2n ** 80n),
      '2001:db9:8000::/33',
    ],
    // A range whose bounds lie inside objects.
    ['10.0.0.128 - 10.0.1.127', [block, root], ['10.0.0.0 - 10.0.0.255', '10.0.1.0 - 10.0.1.255'], '256', undefined],
    ['10.0.0.0/15', [root], [block, '10.1.0.0 - 10.1.0.255'], String(65536 + 256), '10.1.128.0/17'],
    ['10.0.0.0/28', ['10.0.0.0 - 10.0.0.15', '10.0.0.0 - 10.0.0.255', block, root], [], '0', '10.0.0.0/28'],
    ['10.0.255.255', ['10.0.255.255 - 10.0.255.255', block, root], [], '0', '10.0.255.255/32'],
    ['192.0.2.0/24', [root], [], '0', '192.0.2.0/24'],
  ])('%s lies in %j, and has %j inside', async (resource, enclosing, inside, used, free) => {
    const space = await describeSpace(resource);
    const around = space.enclosing.map(({ key }) => key?.key);
    expect([around, space.inside, space.used, space.free[0]]).toEqual([enclosing, inside, used, free]);
  });

  it.each([
    ['nonsense', 4, ''],
    ['AS64500', 4, ''],
    ['10.0.0.0/8', 0, ''],
    ['10.0.0.0/8', 257, ''],
    ['10.0.0.0/8', 4, 'NO'],
  ])('refuses %s in %i parts in the source "%s"', async (resource, parts, source) => {
    await expect(describeSpace(resource, parts, source)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('names only large objects among many, and stops after 100,000', { timeout: 240_000 }, async () => {
    const { writePool, sources } = setup.context;
    // Directly into the table, because writing or loading them takes long. 30.0.0.0/31, 30.0.0.4/31 and so on.
    await writePool.query(
      `insert into object (source_id, type, revision, serial, announced, modified, key, text, refs, span)
       select $1, 1, 1, 1, 1, now(), 'range ' || at, '', '{}', int8range(at, at + 2)
       from generate_series(30::bigint << 24, (30::bigint << 24) + 4 * 100100, 4) at`,
      [sources.main.id],
    );
    const part = await describeSpace('30.0.0.0/15', 256);
    expect([part.isPartial, part.objects, part.used]).toEqual([false, 32_768, '65536']);
    expect([part.inside, part.free]).toEqual([[], ['30.0.0.2/31', '30.0.0.2/32']]);
    const whole = await describeSpace('30.0.0.0/8', 256);
    expect([whole.isPartial, whole.objects, whole.free]).toEqual([true, 100_000, []]);
  });
});

describe('ListOwnSpace', () => {
  const principalOf = (accountName: string, maintainers: string[] = []): Principal => ({
    credentials: [],
    accountId: '',
    accountName,
    apiKeyId: '',
    maintainers,
    keyFingerprints: [],
  });
  const list = (principal: Principal | undefined) => hierarchyOf(setup.context).listOwnSpace({ principal });

  test('lists the outermost networks that name a mntner of the account, in any attribute', async () => {
    const { objects, incomplete } = await list(principalOf('alice@example.net'));
    expect(objects.map(({ key, attributes }) => [key?.key, attributes])).toEqual([
      ['10.0.0.0 - 10.0.0.15', ['mnt-by']],
      ['10.0.64.0 - 10.0.127.255', ['mnt-lower']],
      ['10.0.255.255 - 10.0.255.255', ['mnt-routes']],
      ['2001:db8::/32', ['mnt-by']],
      ['2001:db9::/48', ['mnt-by']],
    ]);
    expect(objects[0]).toMatchObject({ netname: 'EXAMPLE-NET', status: 'ASSIGNED' });
    expect(incomplete).toBe(false);
  });

  it.each([
    ['an account without mntners', principalOf('carol@example.net')],
    ['a key that is limited to another mntner', principalOf('alice@example.net', ['TWO-MNT'])],
  ])('lists nothing for %s', async (_what, principal) => {
    expect(await list(principal)).toEqual({ objects: [], incomplete: false });
  });

  test('refuses callers without an account', async () => {
    await expect(list(undefined)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
