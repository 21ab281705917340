import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { BelowLevel } from '@cadastre/proto/search';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';
import { clientAt, limitedBackends, limitedSettings } from './limits.fixture.js';
import { type RdapRegistry, rdapRegistry } from './rdap-registry.fixture.js';

const rest = 'mnt-by:         EXAMPLE-MNT\nsource:         TEST\n';
const person = (handle: string, more = rest) =>
  `person:         Person ${handle}\naddress:        1 Example Street\nphone:          +31 20 555 0100\ne-mail:         x@example.net\nnic-hdl:        ${handle}\n${more}`;
const role = (handle: string, more = '') =>
  `role:           Role ${handle}\naddress:        1 Example Street\ne-mail:         x@example.net\nnic-hdl:        ${handle}\n${more}${rest}`;
const network = (at: number, contacts: readonly string[]) =>
  `inetnum:        192.0.${at}.0 - 192.0.${at}.255\nnetname:        NET-${at}\n${contacts.map((handle) => `admin-c:        ${handle}\n`).join('')}status:         ASSIGNED PA\n${rest}`;

let gateway: RunningGateway | undefined;
afterEach(() => gateway?.stop());

/** The objects below and the results of searches are all networks. */
async function start(registry: RdapRegistry, limit: number, networks: readonly string[] = []) {
  const stored = networks.length > 0 ? registry.store(...networks) : [];
  const found = stored.map((object) => ({
    ...{ object, related: false, managedAttributes: [], managedMaintainers: [], messages: [] },
  }));
  gateway = await startGateway(
    {
      ...registry.backends,
      reader: { ...registry.backends.reader!, listOwnMaintainers: limitedBackends.reader!.listOwnMaintainers! },
      auth: {
        ...limitedBackends.auth,
        authenticate: async ({ basic: name }) => ({
          outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
          principal: {
            ...{ credentials: [], accountId: name, accountName: `${name}@example.net`, apiKeyId: 'k' },
            ...{ maintainers: [], keyFingerprints: [] },
          },
          messages: [],
        }),
      },
      search: {
        searchNames: async () => ({ objects: stored.slice(0, 100), cursor: Buffer.alloc(0), serial: 7n }),
        async *search() {
          yield { objects: found.slice(0, 100), flags: [], messages: [], serial: 7n, contacts: undefined };
        },
        listBelow: async ({ level }) => {
          const keys = level === BelowLevel.BELOW_LEVEL_FIRST ? stored.slice(0, 100).map(({ key }) => key) : [];
          return { keys, objects: stored.length, tooMany: false, serial: 7n };
        },
      },
    },
    {
      ...limitedSettings,
      CADASTRE_LIMITS: `personal-objects=${limit}, 198.51.100.0/24 exempt`,
    },
  );
  return gateway;
}

type Send = ReturnType<typeof clientAt>;

async function documentOf(send: Send, path: string, options?: Parameters<Send>[1]) {
  const { status, text } = await send(path, options);
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text);
}

/** The persons and roles that a client has seen today, by its limits. */
async function usedBy(send: Send, options?: Parameters<Send>[1]): Promise<number> {
  const { limits } = JSON.parse((await send('/metadata/limits.json', options)).text);
  return limits.limit.find(({ name }: { name: string }) => name === 'personal-objects').used;
}

interface Contact {
  handle: string;
  vcardArray?: [string, [string, ...unknown[]][]];
}

/** The handles of the contacts of a document that have more than a handle and a link. */
const shownIn = ({ entities = [] }: { entities?: Contact[] }) =>
  entities.filter(({ vcardArray }) => vcardArray !== undefined).map(({ handle }) => handle);

describe('contacts inside networks', () => {
  it('count once per person and client', async () => {
    const registry = rdapRegistry(
      person('AA1-TEST'),
      role('RR1-TEST'),
      role('AR1-TEST', 'abuse-mailbox:  abuse@example.net\n'),
      network(2, ['AA1-TEST', 'RR1-TEST', 'AR1-TEST']),
      network(3, ['AA1-TEST']),
      `domain:         2.0.192.in-addr.arpa\nnserver:        ns1.example.net\nzone-c:         RR1-TEST\n${rest}`,
      `organisation:   ORG-EX1-TEST\norg-name:       Example Ltd\naddress:        x\nadmin-c:        AA1-TEST\n${rest}`,
    );
    const running = await start(registry, 10);
    const send = clientAt(running, '192.0.2.1');
    expect(shownIn(await documentOf(send, '/rdap/ip/192.0.2.1'))).toEqual(['AA1-TEST', 'AR1-TEST', 'RR1-TEST']);
    expect(await usedBy(send)).toBe(2);
    for (const path of ['ip/192.0.2.1', 'ip/192.0.3.1', 'domain/2.0.192.in-addr.arpa', 'entity/ORG-EX1-TEST']) {
      for (let turn = 0; turn < 3; turn++) await documentOf(send, `/rdap/${path}`);
    }
    expect(await usedBy(send)).toBe(2);
    const other = clientAt(running, '192.0.2.2');
    await other('/rdap/ip/192.0.2.1', { method: 'HEAD' });
    expect(await usedBy(other)).toBe(0);
    await documentOf(other, '/rdap/ip/192.0.3.1');
    expect(await usedBy(other)).toBe(1);
  });

  it('count in the network of a reverse zone, too', async () => {
    const registry = rdapRegistry(
      person('AA1-TEST'),
      person('AA2-TEST'),
      network(2, ['AA1-TEST']),
      `domain:         2.0.192.in-addr.arpa\nnserver:        ns1.example.net\nzone-c:         AA2-TEST\n${rest}`,
    );
    const send = clientAt(await start(registry, 1), '192.0.2.1');
    const zone = await documentOf(send, '/rdap/domain/2.0.192.in-addr.arpa');
    expect([...shownIn(zone), ...shownIn(zone.network)]).toHaveLength(1);
    expect(await usedBy(send)).toBe(1);
  });

  it('are charged for the uncached objects that were read for them', async () => {
    const large = `${'remarks:        '.padEnd(4_000, 'x')}\n`.repeat(50);
    const contacts = Array.from({ length: 20 }, (_, at) => `RL${at + 1}-TEST`);
    const registry = rdapRegistry(...contacts.map((handle) => role(handle, large)), network(2, contacts));
    const running = await start(registry, 10);
    const send = clientAt(running, '192.0.2.1');
    const bytes = async () => {
      const { limits } = JSON.parse((await send('/metadata/limits.json')).text);
      return limits.limit.find(({ name }: { name: string }) => name === 'bytes').used;
    };
    await documentOf(send, '/rdap/ip/192.0.2.1');
    expect(await bytes()).toBeGreaterThan(20 * 190_000);
  });

  it('count as often when the reply is cached', async () => {
    const registry = rdapRegistry(person('AA1-TEST'), person('AA2-TEST'), network(2, ['AA1-TEST', 'AA2-TEST']));
    const running = await start(registry, 1);
    // A client of an exempt network: it sees everything.
    const callsOfGuest = async () => {
      registry.calls.splice(0);
      await documentOf(clientAt(running, '198.51.100.1'), '/rdap/ip/192.0.2.1');
      return registry.calls.length;
    };
    await expect.poll(callsOfGuest).toBe(0);
    const strict = clientAt(running, '192.0.2.1');
    for (let turn = 0; turn < 3; turn++) {
      expect(shownIn(await documentOf(strict, '/rdap/ip/192.0.2.1'))).toEqual(['AA1-TEST']);
    }
    expect(await usedBy(strict)).toBe(1);
    const other = clientAt(running, '192.0.2.2');
    await documentOf(other, '/rdap/ip/192.0.2.1');
    expect(await usedBy(other)).toBe(1);
    expect(await callsOfGuest()).toBe(0);
  });

  it('do not count for the signed-in caller who maintains them', async () => {
    const registry = rdapRegistry(
      person('AA1-TEST'),
      person('AA2-TEST', rest.replace('EXAMPLE-MNT', 'OTHER-MNT')),
      network(2, ['AA1-TEST', 'AA2-TEST']),
    );
    const send = clientAt(await start(registry, 10), '192.0.2.1');
    const olga = { headers: { authorization: 'Basic olga' } };
    expect(shownIn(await documentOf(send, '/rdap/ip/192.0.2.1', olga))).toHaveLength(2);
    expect(await usedBy(send, olga)).toBe(1);
  });
});

describe('above the limit', () => {
  it('persons are a handle and a link', async () => {
    const registry = rdapRegistry(
      ...['AA1-TEST', 'AA2-TEST', 'AA3-TEST'].map((handle) => person(handle)),
      role('AR1-TEST', 'abuse-mailbox:  abuse@example.net\n'),
      network(2, ['AA1-TEST', 'AA2-TEST']),
      network(3, ['AA1-TEST', 'AA3-TEST', 'AR1-TEST']),
    );
    const running = await start(registry, 2);
    const send = clientAt(running, '192.0.2.1');
    expect(shownIn(await documentOf(send, '/rdap/ip/192.0.2.1'))).toEqual(['AA1-TEST', 'AA2-TEST']);
    const document = await documentOf(send, '/rdap/ip/192.0.3.1');
    expect(shownIn(document)).toEqual(['AA1-TEST', 'AR1-TEST']);
    expect(document.entities.find(({ handle }: Contact) => handle === 'AA3-TEST')).toEqual({
      objectClassName: 'entity',
      handle: 'AA3-TEST',
      roles: ['administrative'],
      links: [expect.objectContaining({ rel: 'self', href: expect.stringMatching(/\/rdap\/entity\/AA3-TEST$/) })],
    });
    expect(document.redacted).toContainEqual({
      name: { description: 'Contact information' },
      prePath: "$.entities[?(@.handle=='AA3-TEST')].vcardArray",
      method: 'removal',
      reason: { description: 'Personal data' },
    });
    expect((await send('/rdap/entity/AA3-TEST')).status).toBe(429);
    expect(shownIn(await documentOf(send, '/rdap/ip/192.0.3.1'))).toEqual(['AA1-TEST', 'AR1-TEST']);
    const other = clientAt(running, '192.0.2.2');
    for (let turn = 0; turn < 3; turn++) {
      expect(shownIn(await documentOf(other, '/rdap/ip/192.0.3.1'))).toEqual(['AA1-TEST', 'AA3-TEST', 'AR1-TEST']);
    }
  });
});

describe('results of searches', () => {
  it.each(['ips?name=net*', 'ips/reverse_search/entity?handle=AA1-TEST', 'ips/rirSearch1/rdap-down/192.0.0.0/16'])(
    'show of persons inside other objects handle and link: %s',
    async (path) => {
      const registry = rdapRegistry(person('AA1-TEST'), role('AR1-TEST', 'abuse-mailbox:  abuse@example.net\n'));
      const send = clientAt(await start(registry, 10, [network(2, ['AA1-TEST', 'AR1-TEST'])]), '192.0.2.1');
      const { ipSearchResults: found } = await documentOf(send, `/rdap/${path}`);
      expect(found.map(shownIn)).toEqual([['AR1-TEST']]);
      expect(found[0].entities[0]).toMatchObject({ handle: 'AA1-TEST', links: [{ rel: 'self' }] });
      expect(await usedBy(send)).toBe(0);
    },
  );
});

it('74 requests do not read 1,245 persons', async () => {
  const handles = Array.from({ length: 1245 }, (_, at) => `P${at}-TEST`);
  const networks = Array.from({ length: 70 }, (_, at) => network(at, handles.slice(at * 18, (at + 1) * 18)));
  const running = await start(rdapRegistry(...handles.map((handle) => person(handle))), 50, networks);
  const send = clientAt(running, '192.0.2.1');
  const lookups = networks.map((_, at) => `ip/192.0.${at}.1`);
  const searches = ['ips?name=net*', 'ips?handle=192*', 'ips/reverse_search/entity?handle=EXAMPLE-MNT'];
  const seen = new Set<string>();
  for (const path of [...searches, 'ips/rirSearch1/rdap-down/192.0.0.0/16', ...lookups]) {
    const document = await documentOf(send, `/rdap/${path}`);
    for (const one of document.ipSearchResults ?? [document]) for (const handle of shownIn(one)) seen.add(handle);
  }
  expect(seen.size).toBe(50);
  expect(await usedBy(send)).toBe(50);
});

it('contacts of a reply may have a mebibyte together, the others are a handle and a link', async () => {
  const large = `address:        ${'a'.repeat(80)}\n`.repeat(4_000);
  const handles = ['AR1-TEST', 'AR2-TEST', 'AR3-TEST', 'AR4-TEST'];
  const registry = rdapRegistry(
    ...handles.map((handle) => role(handle, `abuse-mailbox:  abuse@example.net\n${large}`)),
    network(2, handles),
  );
  const send = clientAt(await start(registry, 10), '192.0.2.1');
  const { text } = await send('/rdap/ip/192.0.2.1');
  expect(shownIn(JSON.parse(text))).toEqual(['AR1-TEST', 'AR2-TEST', 'AR3-TEST']);
  expect(text.length).toBeLessThan(1.1 * 1024 * 1024);
});
