import { samples } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../tests/testing.js';
import { answer } from './answers.js';
import { document, type Parts } from './document.js';
import type { Contact, Document, Domain, Entity, IpNetwork } from './documents.js';
import { ipNetwork } from './network.js';
import { defaultPolicy } from './policy.js';
import type { Stored } from './registry.js';
import { asJson, registry, relatedOf, requested, sampleContacts, storedLines, storedOf } from './stored.fixture.js';

const self = (path: string) => ({
  value: requested.url,
  rel: 'self',
  href: `https://r.example/rdap${path}`,
  type: 'application/rdap+json',
});
const rest = (path: string) => ({
  value: requested.url,
  rel: 'alternate',
  href: `https://r.example/TEST/${path}.json`,
  type: 'application/json',
});

/** The document of an object, which passes all checks. */
function made<D extends Document = Document>(stored: Stored, parts: Parts = {}): D {
  const nested = document(registry, requested, stored, parts)!;
  expect(faultsOf(asJson(answer(registry, requested, nested)))).toEqual([]);
  return nested.document as D;
}

const network = (...lines: readonly string[]) => storedLines('inetnum: 192.0.2.0 - 192.0.2.255', ...lines);

describe('the document of a network', () => {
  it('has all that the registry knows', () => {
    const alice = storedLines('person: Alice Example', 'phone: +31 20 555 0100', 'nic-hdl: AE1-TEST');
    const stored = network(
      'netname: EXAMPLE-NET',
      'descr: Example network',
      'country: NL',
      'geofeed: https://example.net/geofeed.csv',
      'language: nl',
      'admin-c: ae1-test',
      'tech-c: AE1-TEST',
      'status: ASSIGNED PA',
      'remarks: # only a comment',
      'remarks: two',
      '+        lines # and a comment',
      'created: 2020-01-02T03:04:05Z',
      'last-modified: 2024-05-06T07:08:09Z',
      'source: TEST',
    );
    const related = relatedOf([alice]);
    const relations = ['rdap-up', 'rdap-top rdap-active'] as const;
    expect(made(stored, { related, parentKey: '192.0.0.0 - 192.0.255.255', relations })).toEqual({
      objectClassName: 'ip network',
      handle: '192.0.2.0 - 192.0.2.255',
      startAddress: '192.0.2.0',
      endAddress: '192.0.2.255',
      ipVersion: 'v4',
      name: 'EXAMPLE-NET',
      type: 'ASSIGNED PA',
      country: 'NL',
      parentHandle: '192.0.0.0 - 192.0.255.255',
      status: ['active'],
      cidr0_cidrs: [{ v4prefix: '192.0.2.0', length: 24 }],
      entities: [
        {
          objectClassName: 'entity',
          handle: 'AE1-TEST',
          roles: ['administrative', 'technical'],
          vcardArray: [
            'vcard',
            [
              ['version', {}, 'text', '4.0'],
              ['fn', {}, 'text', 'Alice Example'],
              ['kind', {}, 'text', 'individual'],
              ['tel', { type: 'voice' }, 'text', '+31 20 555 0100'],
            ],
          ],
          links: [self('/entity/AE1-TEST')],
        },
      ],
      events: [
        { eventAction: 'registration', eventDate: '2020-01-02T03:04:05Z' },
        { eventAction: 'last changed', eventDate: '2024-05-06T07:08:09Z' },
      ],
      remarks: [{ description: ['Example network', 'two lines'] }],
      lang: 'nl',
      links: [
        self('/ip/192.0.2.0/24'),
        rest('inetnum/192.0.2.0%20-%20192.0.2.255'),
        { ...self('/ips/rirSearch1/rdap-up/192.0.2.0/24'), rel: 'rdap-up' },
        { ...self('/ips/rirSearch1/rdap-top/192.0.2.0/24?status=active'), rel: 'rdap-top rdap-active' },
        {
          value: requested.url,
          rel: 'geofeed',
          href: 'https://example.net/geofeed.csv',
          type: 'application/geofeed+csv',
        },
      ],
    });
  });

  it('has nothing that the registry does not know', () => {
    expect(made(storedLines('inet6num: 2001:db8:0:0:8::/80', 'netname:', 'descr:', 'source: TEST'))).toEqual({
      objectClassName: 'ip network',
      handle: '2001:db8:0:0:8::/80',
      startAddress: '2001:db8:0:0:8::',
      endAddress: '2001:db8::8:ffff:ffff:ffff',
      ipVersion: 'v6',
      status: ['active'],
      cidr0_cidrs: [{ v6prefix: '2001:db8:0:0:8::', length: 80 }],
      links: [self('/ip/2001:db8:0:0:8::/80'), rest('inet6num/2001:db8:0:0:8::/80')],
    });
  });

  it.each([
    ['192.0.2.0 - 192.0.2.99', '/ip/192.0.2.0%20-%20192.0.2.99'],
    ['192.0.2.7 - 192.0.2.7', '/ip/192.0.2.7/32'],
    ['0.0.0.0 - 255.255.255.255', '/ip/0.0.0.0/0'],
  ])('links %s to itself as %s', (key, path) => {
    const { links } = made(storedLines(`inetnum: ${key}`, 'source: TEST'), { relations: ['rdap-down'] });
    expect(links.map(({ href }) => href)).toEqual([
      `https://r.example/rdap${path}`,
      expect.stringContaining('https://r.example/TEST/inetnum/'),
      `https://r.example/rdap${path.replace('/ip/', '/ips/rirSearch1/rdap-down/')}`,
    ]);
  });

  it.each([
    ['10.1.0.0 - 10.1.255.255', 'reserved'],
    ['9.0.0.0 - 10.255.255.255', 'active'],
    ['193.0.0.0 - 193.0.7.255', 'active'],
    ['0.0.0.0 - 255.255.255.255', 'administrative'],
  ])('gives %s the status %s', (key, status) => {
    expect(made<IpNetwork>(storedLines(`inetnum: ${key}`, 'source: TEST')).status).toEqual([status]);
  });

  it.each([
    [['geofeed: https://a.example/g.csv', 'remarks: Geofeed https://b.example/g.csv'], 'https://a.example/g.csv'],
    [['remarks: GEOFEED https://b.example/g.csv and more'], 'https://b.example/g.csv'],
    [['remarks: about geofeed https://b.example/g.csv', 'descr: geofeed https://c.example/'], 'https://c.example/'],
    [['remarks: geofeedhttps://b.example/g.csv'], undefined],
    [['geofeed: http://a.example/g.csv'], undefined],
    [['remarks: geofeed javascript:alert(1)'], undefined],
    [['remarks: geofeed https://\u00e9.example/'], undefined],
  ])('takes the geofeed of %j', (lines, href) => {
    const geofeed = made(network(...lines, 'source: TEST')).links.find(({ rel }) => rel === 'geofeed');
    expect(geofeed?.href).toBe(href);
  });

  it.each([
    [['created: 2020-01-02'], undefined],
    [['created: 2020-13-02T03:04:05Z'], undefined],
    [['last-modified: 2020-01-02T03:04:05Z'], [{ eventAction: 'last changed', eventDate: '2020-01-02T03:04:05Z' }]],
  ])('has the events of %j', (lines, events) => {
    expect(made(network(...lines, 'source: TEST')).events).toEqual(events);
  });
});

describe('the contacts of a document', () => {
  const person = storedLines('person: P', 'nic-hdl: XX1-TEST', 'source: TEST');
  const role = storedLines('role: R', 'nic-hdl: XX1-TEST', 'source: TEST');
  const mntner = storedLines('mntner: XX1-TEST', 'source: TEST');
  const org = storedLines('organisation: ORG-A1-TEST', 'org-name: A', 'source: TEST');
  const rolesOf = (stored: Stored, parts: Parts = { related: relatedOf([person, mntner, org]) }) =>
    (made(stored, parts).entities ?? []).map(({ handle, roles }: Contact) => `${handle} ${roles.join()}`);

  it.each([
    [['admin-c: XX1-TEST', 'tech-c: XX1-TEST', 'admin-c: XX1-TEST'], ['XX1-TEST administrative,technical']],
    [
      ['mnt-by: XX1-TEST, B-MNT', 'mnt-by: b-mnt'],
      ['B-MNT registrant', 'XX1-TEST registrant'],
    ],
    [['org: org-a1-test', 'mnt-by: B-MNT'], ['ORG-A1-TEST registrant']],
    [['mnt-irt: IRT-B'], ['IRT-B abuse']],
    [['abuse-c: XX1-TEST', 'mnt-lower: B-MNT', 'notify: a@b.example', 'sponsoring-org: ORG-A1-TEST'], []],
    [['constructor: x', '__proto__: x', 'toString: x'], []],
  ])('of %j are %j', (lines, entities) => {
    expect(rolesOf(network(...lines, 'source: TEST'))).toEqual(entities);
  });

  it('include the technical contact of a zone and the abuse contact', () => {
    const stored = storedLines('domain: 2.0.192.in-addr.arpa', 'zone-c: XX1-TEST', 'source: TEST');
    expect(rolesOf(stored, { related: relatedOf([role], role) })).toEqual(['XX1-TEST technical,abuse']);
  });

  it('are the entity that a lookup of the handle shows', () => {
    const stored = network('mnt-by: XX1-TEST', 'admin-c: XX1-TEST', 'source: TEST');
    const { entities } = made(stored, { related: relatedOf([mntner, person]) });
    expect(entities).toHaveLength(1);
    expect(JSON.stringify(entities)).toContain('individual');
  });

  it('have only handle and roles when they do not exist', () => {
    const { entities } = made(network('tech-c: ZZ9-TEST', 'source: TEST'), { related: relatedOf([]) });
    expect(entities).toEqual([{ objectClassName: 'entity', handle: 'ZZ9-TEST', roles: ['technical'] }]);
  });

  it('are not the entity itself', () => {
    const stored = storedLines('mntner: XX1-TEST', 'mnt-by: XX1-TEST', 'admin-c: XX1-TEST', 'source: TEST');
    expect(rolesOf(stored)).toEqual(['XX1-TEST administrative']);
  });

  it('are absent inside other documents', () => {
    expect(made(storedOf(samples.inetnum))).not.toHaveProperty('entities');
  });
});

describe('the document of an AS number', () => {
  it('has all that the registry knows', () => {
    const { entities, ...rest1 } = made(storedOf(samples['aut-num']), { related: sampleContacts });
    expect(entities?.map(({ handle }) => handle)).toEqual(['AE1-TEST', 'EN1-TEST', 'ORG-EX1-TEST']);
    expect(rest1).toEqual({
      objectClassName: 'autnum',
      handle: 'AS64500',
      startAutnum: 64500,
      endAutnum: 64500,
      name: 'EXAMPLE-AS',
      status: ['active'],
      remarks: [{ description: ['Example network'] }],
      links: [self('/autnum/64500'), rest('aut-num/AS64500')],
    });
  });

  it.each([
    ['AS23456', 'reserved'],
    ['AS64512', 'reserved'],
    ['AS3333', 'active'],
    ['AS4294967295', 'reserved'],
  ])('gives %s the status %s', (key, status) => {
    expect(made(storedLines(`aut-num: ${key}`, 'as-name: A B', 'source: TEST'))).toMatchObject({
      name: 'AB',
      status: [status],
    });
  });

  it('links to the source of objects of other regions', () => {
    const { links } = made(storedLines('aut-num: AS3333', 'source: TEST-NONAUTH'));
    expect(links[1]?.href).toBe('https://r.example/TEST-NONAUTH/aut-num/AS3333.json');
  });
});

describe('the document of a zone', () => {
  it('has its name servers, DS records and network', () => {
    const stored = storedLines(
      'domain: 2.0.192.in-addr.arpa',
      'nserver: ns1.example.net 192.0.2.1',
      'nserver: NS1.example.net. 2001:db8:0:0:0::1',
      'nserver: ns1.example.net 192.0.2.1',
      'nserver: ns2.example.net',
      'nserver: not a host',
      'ds-rdata: 52151 13 2 ( 0123456789abcdef0123456789abcdef 0123456789abcdef0123456789ABCDEF )',
      'ds-rdata: 70000 13 2 00',
      'source: TEST',
    );
    const around = ipNetwork(registry, requested, storedOf(samples.inetnum))!;
    expect(made(stored, { network: around, relations: ['rdap-bottom'] })).toEqual({
      objectClassName: 'domain',
      handle: '2.0.192.in-addr.arpa',
      ldhName: '2.0.192.in-addr.arpa',
      nameservers: [
        {
          objectClassName: 'nameserver',
          ldhName: 'ns1.example.net',
          ipAddresses: { v4: ['192.0.2.1'], v6: ['2001:db8::1'] },
        },
        { objectClassName: 'nameserver', ldhName: 'ns2.example.net' },
      ],
      secureDNS: {
        delegationSigned: true,
        dsData: [
          {
            keyTag: 52151,
            algorithm: 13,
            digestType: 2,
            digest: '0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF',
          },
        ],
      },
      network: around.document,
      links: [
        self('/domain/2.0.192.in-addr.arpa'),
        rest('domain/2.0.192.in-addr.arpa'),
        { ...self('/domains/rirSearch1/rdap-bottom/2.0.192.in-addr.arpa'), rel: 'rdap-bottom' },
      ],
    });
  });

  it('has neither without them', () => {
    const zone = made<Domain>(storedLines('domain: 2.0.192.in-addr.arpa', 'source: TEST'));
    expect(Object.keys(zone)).toEqual(['objectClassName', 'handle', 'ldhName', 'links']);
  });
});

describe('the document of an entity', () => {
  const cardOf = (stored: Stored, parts: Parts = { showEmail: true }) =>
    made<Entity>(stored, parts).vcardArray[1].slice(1);

  it.each([
    [
      ['person: Alice Example', 'nic-hdl: AE1-TEST', 'e-mail: Alice <a@b.example>', 'fax-no: tel:+31-20-555'],
      [
        ['fn', {}, 'text', 'Alice Example'],
        ['kind', {}, 'text', 'individual'],
        ['tel', { type: 'fax' }, 'uri', 'tel:+31-20-555'],
        ['email', {}, 'text', 'a@b.example'],
      ],
    ],
    [
      ['role: Desk', 'nic-hdl: D1-TEST', 'e-mail: desk@b.example', 'e-mail: A@b.example', 'abuse-mailbox: a@b.example'],
      [
        ['fn', {}, 'text', 'Desk'],
        ['kind', {}, 'text', 'group'],
        ['email', { type: 'work' }, 'text', 'a@b.example'],
        ['email', {}, 'text', 'desk@b.example'],
      ],
    ],
    [
      [
        'organisation: ORG-A1-TEST',
        'org-name: A',
        'address: Street 1',
        'address:',
        'address: City',
        'geoloc: 52.37 -4.9',
      ],
      [
        ['fn', {}, 'text', 'A'],
        ['kind', {}, 'text', 'org'],
        ['org', {}, 'text', 'A'],
        ['adr', { label: 'Street 1\nCity' }, 'text', ['', '', '', '', '', '', '']],
        ['geo', {}, 'uri', 'geo:52.37,-4.9'],
      ],
    ],
    [
      ['mntner: A-MNT', 'auth: SSO a@b.example', 'upd-to: u@b.example', 'mnt-nfy: n@b.example'],
      [
        ['fn', {}, 'text', 'A-MNT'],
        ['kind', {}, 'text', 'group'],
      ],
    ],
    [
      ['irt: IRT-A', 'phone: +1', 'irt-nfy: i@b.example', 'contact: https://a.example', 'geoloc: somewhere'],
      [
        ['fn', {}, 'text', 'IRT-A'],
        ['kind', {}, 'text', 'group'],
        ['tel', { type: 'voice' }, 'text', '+1'],
      ],
    ],
  ])('of %j has its jCard', (lines, card) => {
    expect(cardOf(storedLines(...lines, 'source: TEST'))).toEqual(card);
  });

  it('names its organisation', () => {
    const { person, role } = samples;
    expect(cardOf(storedOf(person), { related: sampleContacts })).toContainEqual([
      'org',
      {},
      'text',
      'Example Networks (NL) B.V.',
    ]);
    expect(cardOf(storedOf(role))).not.toContainEqual(expect.arrayContaining(['org']));
  });

  it('of an organisation has its networks and AS numbers', () => {
    const networks = [storedOf(samples.inet6num), storedOf(samples.inetnum)];
    const autnums = [storedOf(samples['aut-num'])];
    const shown = made<Entity>(storedOf(samples.organisation), { networks, autnums });
    expect(shown.networks?.map(({ handle }) => handle)).toEqual(['2001:db8::/32', '192.0.2.0 - 192.0.2.255']);
    expect(shown.autnums?.map(({ handle }) => handle)).toEqual(['AS64500']);
    expect(shown.networks?.every((one) => one.entities === undefined)).toBe(true);
  });
});

describe('hostile objects', () => {
  it.each([
    ['control characters', 'descr: a\u0000b\u0007"\\\u007f\u0085</script>'],
    ['latin-1 letters', 'netname: \u00c4\u00d6\u00dc\u00ff'],
    ['unpaired surrogates', 'admin-c: \ud800'],
    ['a very long value', `descr: ${'x'.repeat(1_000_000)}`],
    ['three thousand remarks', Array.from({ length: 3000 }, (_, n) => `remarks: ${n}`).join('\n')],
    ['a thousand contacts', Array.from({ length: 1000 }, (_, n) => `tech-c: AA${n}-TEST`).join('\n')],
    ['names of members', '__proto__: x\nconstructor: x\nnetname: __proto__\norg: __proto__\nadmin-c: constructor'],
    ['quotes in handles', 'mnt-by: A\'B\\C"D\nmnt-irt: $..*'],
  ])('with %s are harmless', (_, lines) => {
    const stored = network(lines, 'source: TEST');
    const shown = asJson(made(stored, { related: relatedOf([]) }));
    expect(shown.handle).toBe('192.0.2.0 - 192.0.2.255');
  });

  it('keep their letters', () => {
    expect(asJson(made(network('netname: \u00c4\u00ff', 'source: TEST'))).name).toBe('\u00c4\u00ff');
  });
});

it.each(['route', 'as-set', 'key-cert', 'poem', 'as-block'] as const)('%s has no document', (type) => {
  const stored = storedOf(samples[type]);
  expect(document(registry, requested, stored)).toBeUndefined();
});

it.each([
  ['inetnum', '/ip/192.0.2.0/24'],
  ['inet6num', '/ip/2001:db8::/32'],
  ['aut-num', '/autnum/64500'],
  ['domain', '/domain/2.0.192.in-addr.arpa'],
  ['person', '/entity/AE1-TEST'],
  ['organisation', '/entity/ORG-EX1-TEST'],
] as const)('%s is at %s', (type, path) => {
  expect(made(storedOf(samples[type])).links[0]).toMatchObject({ rel: 'self', href: `${registry.base}${path}` });
});

it('takes the status from the policy', () => {
  const policy = { ...defaultPolicy, reserved: [] };
  const nested = document({ ...registry, policy }, requested, storedLines('aut-num: AS0', 'source: TEST'))!;
  expect(nested.document).toMatchObject({ status: ['active'] });
});
