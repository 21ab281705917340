import { WriteOutcome } from '@cadastre/proto/objects';
import { expect, it } from 'vitest';
import { exampleAuth, type RunningGateway, startGateway } from './gateway.fixture.js';
import { type RdapRegistry, rdapRegistry } from './rdap-registry.fixture.js';

const end = 'mnt-by:         EXAMPLE-MNT\nsource:         TEST\n';
const inetnum = (range: string, name: string, contacts = 'admin-c:        AE1-TEST\n') =>
  `inetnum:        ${range}\nnetname:        ${name}\ncountry:        NL\n${contacts}status:         ASSIGNED PA\n${end}`;
const person = (name: string, more = '') =>
  `person:         ${name}\naddress:        x\nphone:          +31 20 555 0100\nnic-hdl:        AE1-TEST\n${more}${end}`;
const abuseRole = (handle: string, mailbox: string) =>
  `role:           Abuse ${handle}\naddress:        x\ne-mail:         x@example.net\nabuse-mailbox:  ${mailbox}\nnic-hdl:        ${handle}\n${end}`;
const autnum = (name: string) => `aut-num:        AS64500\nas-name:        ${name}\nadmin-c:        AE1-TEST\n${end}`;
const zone = (name: string, server: string) =>
  `domain:         ${name}\nnserver:        ${server}\nzone-c:         AE1-TEST\n${end}`;
const organisation = (name: string) =>
  `organisation:   ORG-EX1-TEST\norg-name:       ${name}\naddress:        x\n${end}`;
const mntner = (name: string) =>
  `mntner:         ${name}\nadmin-c:        AE1-TEST\nupd-to:         x@example.net\nauth:           SSO x\n${end}`;

interface Caching {
  readonly registry: RdapRegistry;
  readonly gateway: RunningGateway;
  /** The text of a response, and whether it needed a call of a service. */
  ask(path: string): Promise<{ text: string; isRequested: boolean; tag: string }>;
  stop(): Promise<void>;
}

async function startCaching(): Promise<Caching> {
  const registry = rdapRegistry(
    inetnum('192.0.0.0 - 192.0.255.255', 'OUTER', 'admin-c:        AE1-TEST\nabuse-c:        AR1-TEST\n'),
    inetnum('192.0.2.0 - 192.0.2.255', 'INNER'),
    inetnum('192.0.3.0 - 192.0.3.255', 'HELD', 'org:            ORG-EX1-TEST\n'),
    organisation('Example Ltd'),
    autnum('OLD-AS'),
    zone('2.0.192.in-addr.arpa', 'ns1.example.net'),
    person('Alice Example'),
    abuseRole('AR1-TEST', 'abuse@example.net'),
    abuseRole('AR2-TEST', 'other@example.net'),
    mntner('EXAMPLE-MNT'),
  );
  const gateway = await startGateway({
    ...registry.backends,
    auth: exampleAuth,
    writer: {
      updateObject: async () => {
        const [object] = registry.store(person('Alice Changed'));
        const serial = object!.serial;
        return { result: { outcome: WriteOutcome.WRITE_OUTCOME_MODIFIED, object, messages: [], serial } };
      },
    },
  });
  const ask = async (path: string) => {
    registry.calls.splice(0);
    const { text, headers } = await gateway.send(path);
    return { text, isRequested: registry.calls.length > 0, tag: String(headers.etag) };
  };
  return { registry, gateway, ask, stop: gateway.stop };
}

/** Repeats the request until the response is cached. */
async function untilCached({ ask }: Pick<Caching, 'ask'>, path: string): Promise<string> {
  let text = '';
  await expect
    .poll(async () => {
      const answer = await ask(path);
      text = answer.text;
      return answer.isRequested;
    })
    .toBe(false);
  return text;
}

const network = '/rdap/ip/192.0.2.7';
const held = '/rdap/ip/192.0.3.0%2F24';

it('caches documents, compressed ones too, and answers 304 with the same tag', async () => {
  const caching = await startCaching();
  const text = await untilCached(caching, network);
  const { tag } = await caching.ask(network);
  const unchanged = await caching.gateway.send(network, { headers: { 'if-none-match': tag } });
  expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  const compressed = await caching.gateway.send(network, { headers: { 'accept-encoding': 'gzip' } });
  expect([compressed.text, compressed.headers.etag]).toEqual([text, `W/${tag}`]);
  expect(compressed.headers['content-type']).toBe('application/rdap+json');
  await caching.stop();
});

// The request, the change, and the text of the response after it.
it.each<[path: string, change: (registry: RdapRegistry) => Parameters<RdapRegistry['announce']>[0][], then: string]>([
  [network, ({ store }) => store(inetnum('192.0.2.0 - 192.0.2.255', 'CHANGED')), 'CHANGED'],
  [network, ({ store }) => store(inetnum('192.0.2.0 - 192.0.2.127', 'NEARER')), 'NEARER'],
  [network, ({ delete: remove }) => [remove('inetnum', '192.0.2.0 - 192.0.2.255')], 'OUTER'],
  [network, ({ store }) => store(inetnum('192.0.2.0 - 192.0.3.255', 'PARENT')), '192.0.2.0 - 192.0.3.255'],
  [network, ({ store }) => store(person('Alice Changed')), 'Alice Changed'],
  [network, ({ delete: remove }) => [remove('person', 'AE1-TEST')], '"handle":"AE1-TEST","roles":["administrative"]}'],
  [network, ({ store }) => store(abuseRole('AR1-TEST', 'new@example.net')), 'new@example.net'],
  [
    network,
    ({ store }) =>
      store(inetnum('192.0.0.0 - 192.0.255.255', 'OUTER', 'admin-c:        AE1-TEST\nabuse-c:        AR2-TEST\n')),
    'other@example.net',
  ],
  [network, ({ store }) => store(mntner('EXAMPLE-MNT').replace('EXAMPLE-MNT\n', 'example-MNT\n')), 'example-MNT'],
  [network, ({ store }) => store(inetnum('192.0.2.0 - 192.0.2.3', 'BELOW')), 'rdap-down'],
  [held, ({ store }) => store(organisation('Changed Ltd')), 'Changed Ltd'],
  [
    held,
    ({ delete: remove }) => [remove('organisation', 'ORG-EX1-TEST')],
    '"handle":"ORG-EX1-TEST","roles":["registrant"]}',
  ],
  ['/rdap/autnum/64500', ({ store }) => store(autnum('NEW-AS')), 'NEW-AS'],
  ['/rdap/autnum/64500', ({ store }) => store(person('Alice Changed')), 'Alice Changed'],
  [
    '/rdap/domain/7.2.0.192.in-addr.arpa',
    ({ store }) => store(zone('7.2.0.192.in-addr.arpa', 'ns2.example.net')),
    'ns2.example.net',
  ],
  ['/rdap/domain/2.0.192.in-addr.arpa', ({ store }) => store(inetnum('192.0.2.0 - 192.0.2.255', 'CHANGED')), 'CHANGED'],
  ['/rdap/entity/AE1-TEST', ({ store }) => store(person('Alice Changed')), 'Alice Changed'],
  ['/rdap/entity/AE1-TEST', ({ store }) => store(mntner('AE1-TEST')), 'also the key of a mntner'],
])('shows changes from the change feed: %s #%#', async (path, change, then) => {
  const caching = await startCaching();
  expect(await untilCached(caching, path)).not.toContain(then);
  const changed = change(caching.registry);
  caching.registry.announce(...changed);
  await expect.poll(async () => (await caching.ask(path)).text).toContain(then);
  await caching.stop();
});

// The request, the change, and what the response no longer contains.
it.each<[path: string, change: (registry: RdapRegistry) => Parameters<RdapRegistry['announce']>[0][], gone: string]>([
  [network, ({ delete: remove }) => [remove('role', 'AR1-TEST')], 'AR1-TEST'],
  [network, ({ delete: remove }) => [remove('inetnum', '192.0.0.0 - 192.0.255.255')], 'parentHandle'],
  [
    '/rdap/ip/192.0.0.0%2F16',
    ({ delete: remove }) => ['192.0.2.0 - 192.0.2.255', '192.0.3.0 - 192.0.3.255'].map((key) => remove('inetnum', key)),
    'rdap-down',
  ],
  [
    '/rdap/domain/2.0.192.in-addr.arpa',
    ({ delete: remove }) => [remove('inetnum', '192.0.2.0 - 192.0.2.255')],
    'INNER',
  ],
  ['/rdap/autnum/64500', ({ delete: remove }) => [remove('person', 'AE1-TEST')], 'Alice Example'],
])('no longer shows what the change feed says is gone: %s #%#', async (path, change, gone) => {
  const caching = await startCaching();
  expect(await untilCached(caching, path)).toContain(gone);
  caching.registry.announce(...change(caching.registry));
  await expect.poll(async () => (await caching.ask(path)).text).not.toContain(gone);
  await caching.stop();
});

it('still answers from the cache after changes that do not concern a document', async () => {
  const caching = await startCaching();
  const { registry, ask } = caching;
  await untilCached(caching, network);
  await untilCached(caching, '/rdap/autnum/64500');
  registry.announce(
    ...registry.store(
      inetnum('198.51.100.0 - 198.51.100.255', 'OTHER'),
      zone('100.51.198.in-addr.arpa', 'ns2.example.net'),
      mntner('OTHER-MNT'),
      person('Carol Example').replace('AE1-TEST', 'CE1-TEST'),
      autnum('NEW-AS'),
    ),
  );
  await expect.poll(async () => (await ask('/rdap/autnum/64500')).text).toContain('NEW-AS');
  expect((await ask(network)).isRequested).toBe(false);
  await caching.stop();
});

it('shows writes of its own gateway immediately', async () => {
  const caching = await startCaching();
  await untilCached(caching, network);
  const { status } = await caching.gateway.send('/TEST/person/AE1-TEST', {
    method: 'PUT',
    headers: { authorization: 'Basic good', 'content-type': 'application/json' },
    body: JSON.stringify({
      objects: {
        object: [
          {
            attributes: {
              attribute: [
                { name: 'person', value: 'Alice Changed' },
                { name: 'nic-hdl', value: 'AE1-TEST' },
                { name: 'source', value: 'TEST' },
              ],
            },
          },
        ],
      },
    }),
  });
  expect(status).toBe(200);
  expect((await caching.ask(network)).text).toContain('Alice Changed');
  await caching.stop();
});

it('counts a person each time, and caches neither for accounts nor without abuse contacts', async () => {
  const caching = await startCaching();
  const { gateway, ask, registry } = caching;
  await untilCached(caching, '/rdap/entity/AE1-TEST');
  const left = async () =>
    /"personal-objects";r=(\d+)/.exec(String((await gateway.send('/rdap/entity/AE1-TEST')).headers.ratelimit))?.[1];
  expect(Number(await left()) - Number(await left())).toBe(1);
  registry.calls.splice(0);
  await gateway.send('/rdap/entity/AE1-TEST', { headers: { authorization: 'Basic good' } });
  expect(registry.calls.length).toBeGreaterThan(0);
  registry.setGeoAvailable(false);
  for (let turn = 0; turn < 3; turn++) expect((await ask('/rdap/ip/192.0.5.1')).isRequested).toBe(true);
  registry.setGeoAvailable(true);
  expect((await ask('/rdap/ip/192.0.5.1')).text).toContain('AR1-TEST');
  await caching.stop();
});

it('looks shared objects up once, and again after a change', async () => {
  const caching = await startCaching();
  const { registry, gateway } = caching;
  const callsFor = async (path: string) => {
    registry.calls.splice(0);
    await gateway.send(path);
    return registry.calls.map((call) => call.split(' ')[0]).join(', ');
  };
  await untilCached(caching, network);
  registry.store(inetnum('192.0.4.0 - 192.0.4.255', 'LIKE'));
  expect(await callsFor('/rdap/ip/192.0.4.1')).toBe('find');
  const [changed] = registry.store(person('Alice Changed'));
  registry.announce(changed!);
  await expect.poll(() => callsFor('/rdap/ip/192.0.4.1')).toBe('find, look');
  const [role] = registry.store(abuseRole('AR1-TEST', 'new@example.net'));
  registry.announce(role!);
  await expect.poll(() => callsFor('/rdap/ip/192.0.4.2')).toBe('find, abuse, look');
  await caching.stop();
});
