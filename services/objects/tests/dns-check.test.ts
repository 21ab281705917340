import { createHash } from 'node:crypto';
import { formatMessage } from '@cadastre/rpsl';
import { reservePort } from '@cadastre/service';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDelegationCheck, type DelegationCheckOptions } from '../src/dns/check-delegation.js';
import { serveNames } from './name-servers.fixture.js';
import { put, text, useContext } from './test-context.js';
import { alice, seen, startRegistry, submitted, writerOf } from './write-context.js';
import { objectOf } from './write-object.js';

const setup = useContext();
const zone = '2.0.192.in-addr.arpa';
const soa = (name: string): Answer => ({
  type: 'SOA',
  name,
  data: { mname: 'ns1.example.net', rname: 'dns.example.net', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
});
const address = (name: string, data: string): Answer[] => [{ type: 'A', name, data }];
const key = { flags: 257, algorithm: 13, key: Buffer.alloc(64, 7) };
const wireKey = Buffer.concat([Buffer.from([1, 1, 3, 13]), key.key]);
const wireZone = Buffer.from(
  `${zone
    .split('.')
    .map((label) => String.fromCharCode(label.length) + label)
    .join('')}\0`,
);
const digest = createHash('sha256').update(wireZone).update(wireKey).digest('hex').toUpperCase();
const served = {
  [`SOA ${zone}`]: [soa(zone)],
  'SOA 0.0.2.0.192.in-addr.arpa': [soa('0.0.2.0.192.in-addr.arpa')],
  [`DNSKEY ${zone}`]: [{ type: 'DNSKEY', name: zone, data: key } as const],
};
const names = ['good', 'lame', 'silent', 'large', 'absent', 'elsewhere', 'mute', 'deaf'];
const host = (name: string) => `${name}.example.net`;
const ip = (name: string) => `127.0.0.${11 + names.indexOf(name)}`;

let servers: Awaited<ReturnType<typeof serveNames>>[];
let options: DelegationCheckOptions;
const failures: unknown[] = [];

beforeAll(async () => {
  await startRegistry(setup.context);
  const resolver = await serveNames('127.0.0.1', await reservePort(), {
    authority: false,
    records: Object.fromEntries(names.map((name) => [`A ${host(name)}`, address(host(name), ip(name))])),
  });
  const good = await serveNames(ip('good'), await reservePort(), { records: served });
  servers = [
    resolver,
    good,
    await serveNames(ip('lame'), good.port, { records: served, authority: false }),
    await serveNames(ip('silent'), good.port, { records: {}, silent: ['SOA'] }),
    await serveNames(ip('large'), good.port, { records: served, truncates: true }),
    await serveNames(ip('elsewhere'), good.port, { records: { 'SOA other.example': [soa('other.example')] } }),
    await serveNames(ip('mute'), good.port, { records: served, silent: ['DNSKEY'] }),
    await serveNames(ip('deaf'), good.port, { records: served, silent: ['DNSKEY'] }),
  ];
  options = {
    resolver: { address: '127.0.0.1', port: resolver.port },
    port: good.port,
    timeoutMs: 60_000,
    allowSpecialAddresses: true,
    onFailure: (error) => failures.push(error),
  };
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

const domain = (name: string, nservers: string[], ...more: [string, string][]) =>
  text([
    ['domain', name],
    ['admin-c', 'AE1-TEST'],
    ['tech-c', 'AE1-TEST'],
    ['zone-c', 'AE1-TEST'],
    ...nservers.map((server): [string, string] => ['nserver', server]),
    ...more,
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', 'TEST'],
  ]);
const check = async (object: string, change: Partial<DelegationCheckOptions> = {}) =>
  (await createDelegationCheck({ ...options, ...change })(objectOf(object))).map(formatMessage);
const lame = (name: string, of = zone) =>
  `Name server ${host(name)} (${ip(name)}) does not answer with authority for ${of}`;
const unknown = (name: string) => `Name server ${name} has no usable address`;

describe('G-DNS-CHECK', () => {
  test.each<[string, string[], string[]]>([
    ['all serve the zone, one over TCP', [host('good'), host('large')], []],
    ['glue replaces the resolver', [`ns.${zone} ${ip('good')}`], []],
    [
      'one has no authority, one knows another zone',
      ['good', 'lame', 'elsewhere'].map(host),
      [lame('lame'), lame('elsewhere')],
    ],
    ['nobody listens', [host('absent')], [`Name server ${host('absent')} (${ip('absent')}) does not answer`]],
    ['one is unknown', [host('good'), 'nowhere.example.net'], [unknown('nowhere.example.net')]],
    ['a name that no packet holds', [`${'a'.repeat(64)}.example.net`], [unknown(`${'a'.repeat(64)}.example.net`)]],
  ])('%s', async (_, nservers, expected) => {
    expect(await check(domain(zone, nservers))).toEqual(expected);
  });

  test('one is silent', async () => {
    // Three attempts take three quarters of the time, and on a busy machine several seconds more.
    const said = await check(domain(zone, [host('silent'), host('good')]), { timeoutMs: 20_000 });
    expect(said).toEqual([`Name server ${host('silent')} (${ip('silent')}) does not answer`]);
  });

  test('of a range the first and the last zone', async () => {
    const range = '0-3.0.2.0.192.in-addr.arpa';
    expect(await check(domain(range, [host('good')]))).toEqual([lame('good', '3.0.2.0.192.in-addr.arpa')]);
  });

  test.each<[string, string, boolean]>([
    ['a key of the zone', `1 13 2 ${digest}`, true],
    ['another digest', `1 13 2 ${digest.replaceAll(digest[0]!, digest[0] === '0' ? '1' : '0')}`, false],
    ['another algorithm', `1 8 2 ${digest}`, false],
    ['a kind of digest that is not computed here', `1 13 3 ${digest}`, true],
  ])('ds-rdata names %s', async (_, signer, fits) => {
    const said = await check(domain(zone, [host('good')], ['ds-rdata', signer]));
    expect(said).toEqual(fits ? [] : [`No key in ${zone} matches ds-rdata ${signer}`]);
  });

  test('a check that takes too long', async () => {
    const object = domain(zone, ['mute', 'deaf'].map(host), ['ds-rdata', `1 13 2 ${digest}`]);
    // Each attempt has a quarter of the time: on a busy machine, the other questions need more than milliseconds.
    expect(await check(object, { timeoutMs: 6_000 })).toEqual(['Timeout performing DNS check']);
  });

  test('a resolver that cannot be asked', async () => {
    const resolver = { address: ip('absent'), port: options.port };
    expect(await check(domain(zone, [host('good')]), { resolver })).toEqual(['Error from DNS check']);
    expect(failures).toHaveLength(1);
  });

  test('in production, name servers in private networks are not queried', async () => {
    expect(await check(domain(zone, [host('good')]), { allowSpecialAddresses: false })).toEqual([
      unknown(host('good')),
    ]);
  });
});

describe('a write', () => {
  const writer = () => writerOf(setup.context, { delegations: createDelegationCheck(options) });
  const bad = () => domain(zone, [host('lame'), host('good')]);

  test('of a domain that is not served is refused', async () => {
    const { outcome, messages } = await writer().create(bad());
    expect([outcome, messages]).toEqual(['INVALID', [`E ${lame('lame')}`]]);
  });

  test('of a served domain continues', async () => {
    expect((await writer().create(domain(zone, [host('good'), host('large')]), alice, true)).outcome).toBe('CREATED');
  });

  test('by an anonymous caller queries no name server', async () => {
    const requested: string[] = [];
    const delegations = async () => {
      requested.push(zone);
      return [];
    };
    const { client } = writerOf(setup.context, { delegations });
    const { result } = await client.createObject({ source: 'TEST', type: 'domain', object: submitted(bad()) });
    expect([seen(result).outcome, requested]).toEqual(['UNAUTHORISED', []]);
  });

  test('that deletes queries no name server', async () => {
    await put(setup.context, bad());
    expect((await writer().remove('domain', zone)).outcome).toBe('DELETED');
  });
});
