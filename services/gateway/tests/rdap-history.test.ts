import { LookupStatus, type Version } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { filterVersion, parseObject, printObject } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';
import { rdapRegistry } from './rdap-registry.fixture.js';

const rest = 'mnt-by:         EXAMPLE-MNT\nsource:         TEST\n';
const inetnum = (range: string, name: string) =>
  `inetnum:        ${range}\nnetname:        ${name}\norg:            ORG-EX1-TEST\nadmin-c:        AE1-TEST\nnotify:         old@example.net\nstatus:         ASSIGNED PA\n${rest}`;
const person = (name: string) =>
  `person:         ${name}\naddress:        1 Example Street\nphone:          +31 20 555 0100\ne-mail:         alice@example.net\nnic-hdl:        AE1-TEST\n${rest}`;

/** The states of objects by type and key, oldest first: a text, nothing for a deletion, or an empty text for an erased one. */
const histories: Record<string, (string | undefined)[]> = {
  'inetnum 192.0.2.0 - 192.0.2.255': [
    inetnum('192.0.2.0 - 192.0.2.255', 'FIRST'),
    inetnum('192.0.2.0 - 192.0.2.255', 'SECOND'),
  ],
  'inetnum 192.0.3.0 - 192.0.3.255': [inetnum('192.0.3.0 - 192.0.3.255', 'GONE'), undefined, '', undefined],
  'inetnum 192.0.4.0 - 192.0.4.255': ['', undefined],
  'inetnum 192.0.5.0 - 192.0.5.255': Array.from({ length: 120 }, (_, n) => inetnum('192.0.5.0 - 192.0.5.255', `N${n}`)),
  'inetnum 192.0.6.0 - 192.0.6.255': Array.from({ length: 6 }, (_, n) => {
    const remarks = `remarks:        ${'a'.repeat(80)}\n`.repeat(n === 1 ? 12_000 : 4_000);
    return inetnum('192.0.6.0 - 192.0.6.255', `N${n}`).replace('mnt-by:', `${remarks}mnt-by:`);
  }),
  'aut-num AS64500': [`aut-num:        AS64500\nas-name:        OLD-AS\n${rest}`],
  'domain 2.0.192.in-addr.arpa': [`domain:         2.0.192.in-addr.arpa\nnserver:        ns1.example.net\n${rest}`],
  'role AE1-TEST': [`role:           Gone\nnic-hdl:        AE1-TEST\n${rest}`, undefined],
  'person AE1-TEST': [person('Alice Example'), person('Alice Exemplary')],
};

const mebibyte = 1024 * 1024;
const day = (n: number) => new Date(Date.UTC(2026, 0, n));

function versionsOf(states: readonly (string | undefined)[]): Version[] {
  return states.map((text, at) => ({
    revision: at + 1,
    instant: day(at + 1),
    operation: text === undefined ? Operation.OPERATION_DELETE : Operation.OPERATION_UPDATE,
    serial: BigInt(at + 1),
    reason: '',
  }));
}

const registry = rdapRegistry(
  inetnum('0.0.0.0 - 255.255.255.255', 'ROOT'),
  inetnum('192.0.2.0 - 192.0.2.255', 'SECOND'),
  `domain:         2.0.192.in-addr.arpa\nnserver:        ns1.example.net\n${rest}`,
);

let gateway: RunningGateway;
const lookups: number[] = [];

/** Maximum length of a list of versions. */
let maxListed = 10_000;

beforeAll(async () => {
  const { backends } = registry;
  const statesOf = (key: { type: string; key: string } | undefined) => histories[`${key!.type} ${key!.key}`];
  gateway = await startGateway(
    {
      ...backends,
      reader: {
        ...backends.reader,
        listVersions: async ({ key, upToRevision = Number.POSITIVE_INFINITY }) => {
          const states = statesOf(key);
          if (states === undefined) throw new ServiceError('not-found', 'never existed');
          const all = versionsOf(states).filter(({ revision }) => revision <= upToRevision + 1);
          return { versions: all.slice(-maxListed), hasOlder: all.length > maxListed };
        },
        batchLookupPast: async (request) => {
          lookups.push(request.lookups.length);
          let characters = 0;
          return {
            answers: request.lookups.map(({ key, moment }, at) => {
              if (moment?.point?.$case !== 'serial') throw new Error('no serial');
              const text = statesOf(key)![Number(moment.point.value) - 1]!;
              characters += text.length;
              if (at > 0 && characters > 2 * mebibyte) {
                return { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN, serial: 1n };
              }
              const parsed = parseObject(text);
              if (!parsed.ok) return { status: LookupStatus.LOOKUP_STATUS_ERASED, serial: 1n };
              const object = {
                ...{ source: 'TEST', type: key!.type, key: key!.key, revision: 1, serial: 1n, contacts: [], tags: [] },
                text: printObject(filterVersion(parsed.object)),
              };
              return { status: LookupStatus.LOOKUP_STATUS_FOUND, serial: 1n, object };
            }),
          };
        },
      },
    },
    { CADASTRE_LIMITS: 'personal-objects=3', CADASTRE_GATEWAY_DEADLINES: 'read=2m' },
  );
});
afterAll(() => gateway.stop());

async function get(path: string) {
  const { status, headers, text } = await gateway.send(`/rdap/history/${path}`);
  return { status, type: headers['content-type'], document: JSON.parse(text) };
}

describe('a history', () => {
  it('has the states with the times between which each applied, the newest first', async () => {
    const { status, type, document } = await get('ip/192.0.2.0/24');
    expect([status, type]).toEqual([200, 'application/rdap+json']);
    expect(document.rdapConformance).toContain('history_version_0');
    expect(document.objectClassName).toBe('history');
    expect(document.records).toMatchObject([
      { applicableFrom: day(2).toISOString(), content: { objectClassName: 'ip network', name: 'SECOND' } },
      { applicableFrom: day(1).toISOString(), applicableUntil: day(2).toISOString(), content: { name: 'FIRST' } },
    ]);
    expect(document.records[0]).not.toHaveProperty('applicableUntil');
  });

  it('is filtered like versions: only handles of others, and no contacts', async () => {
    const { document } = await get('ip/192.0.2.0/24');
    expect(document.records[0].content.entities).toEqual([
      { objectClassName: 'entity', handle: 'ORG-EX1-TEST', roles: ['registrant'] },
    ]);
    expect(JSON.stringify(document)).not.toMatch(/AE1-TEST|old@example/);
  });

  it('ends a state at its deletion, and leaves out erased texts', async () => {
    const { document } = await get('ip/192.0.3.0/24');
    expect(document.records).toMatchObject([
      { applicableFrom: day(1).toISOString(), applicableUntil: day(2).toISOString(), content: { name: 'GONE' } },
    ]);
    expect(await get('ip/192.0.4.0/24')).toMatchObject({ status: 404, document: { errorCode: 404 } });
  });

  /** The names on each page of a history; `between` is called before each page but the first. */
  async function pagesOf(path: string, between = () => {}) {
    const pages: { number: number; names: string[]; bytes: number }[] = [];
    for (let next: string | undefined = path; next !== undefined; between()) {
      const { status, document } = await get(next);
      expect(status).toBe(200);
      const { paging_metadata: paging, records, rdapConformance } = document;
      expect(rdapConformance).toContain('paging');
      expect(paging.pageSize).toBe(records.length);
      const names = records.map(({ content }: { content: { name: string } }) => content.name);
      pages.push({ number: paging.pageNumber, names, bytes: JSON.stringify(document).length });
      next = paging.links?.[0].href.replace(/^.*\/rdap\/history\//, '');
      expect(paging.links?.[0].rel).toBe(next && 'next');
    }
    return pages;
  }

  it('has pages of a mebibyte, and at least one state on each', async () => {
    lookups.length = 0;
    const pages = await pagesOf('ip/192.0.6.0/24');
    expect(pages.map(({ number, names }) => [number, ...names])).toEqual([
      [1, 'N5', 'N4'],
      [2, 'N3', 'N2'],
      [3, 'N1'],
      [4, 'N0'],
    ]);
    for (const { bytes } of pages) expect(bytes).toBeLessThan(1.4 * mebibyte);
    expect(lookups).toEqual([6, 4, 2, 1]);
  });

  it('reaches all states of an object with more than a list has', async () => {
    maxListed = 101;
    const pages = await pagesOf('ip/192.0.5.0/24');
    const { document } = await get('ip/192.0.5.0/24?cursor=2.MjA');
    maxListed = 10_000;
    expect(pages.map(({ names }) => [names.length, names[0], names.at(-1)])).toEqual([
      [100, 'N119', 'N20'],
      [20, 'N19', 'N0'],
    ]);
    expect(document.records[0].applicableUntil).toBe(day(21).toISOString());
  });

  it('resumes at its position, whatever changes meanwhile', async () => {
    const states = histories['inetnum 192.0.5.0 - 192.0.5.255']!;
    const pages = await pagesOf('ip/192.0.5.0/24', () => states.push(inetnum('192.0.5.0 - 192.0.5.255', 'NEW')));
    states.length = 120;
    expect(pages.map(({ number, names }) => [number, names.length, names[0], names.at(-1)])).toEqual([
      [1, 100, 'N119', 'N20'],
      [2, 20, 'N19', 'N0'],
    ]);
  });

  it.each(['x', '2.eA', '2.MA', '0.MQ'])('refuses the cursor %s', async (cursor) => {
    expect((await get(`ip/192.0.5.0/24?cursor=${cursor}`)).status).toBe(400);
  });

  it('has the last 100 states, found in one exchange, and says so', async () => {
    lookups.length = 0;
    const { document } = await get('ip/192.0.5.0/24');
    expect(document.records).toHaveLength(100);
    expect([document.records[0].content.name, document.records[99].content.name]).toEqual(['N119', 'N20']);
    expect(JSON.stringify(document.notices)).toContain('truncated');
    expect(lookups).toEqual([100]);
  });

  it.each([
    ['ip/192.0.2.7', '192.0.2.0 - 192.0.2.255'],
    ['ip/192.0.2.0%20-%20192.0.2.255', '192.0.2.0 - 192.0.2.255'],
    ['autnum/64500', 'AS64500'],
    ['autnum/AS64500', 'AS64500'],
    ['domain/2.0.192.IN-ADDR.arpa.', '2.0.192.in-addr.arpa'],
    ['domain/7.2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
  ])('of %s is that of %s', async (path, handle) => {
    const { status, document } = await get(path);
    expect([status, document.records[0].content.handle]).toEqual([200, handle]);
  });

  it.each([
    [400, 'ip/x'],
    [400, 'autnum/x'],
    [400, 'domain/a..b'],
    [400, 'entity/a%20b'],
    [404, 'ip/198.51.100.0/24'],
    [404, 'autnum/64501'],
    [404, 'domain/example.net'],
    [404, 'entity/ZZ1-TEST'],
    [404, 'nameserver/ns1.example.net'],
    [501, 'domain/4.3.2.1.e164.arpa'],
  ])('is refused with %i: %s', async (status, path) => {
    expect(await get(path)).toMatchObject({ status, type: 'application/rdap+json', document: { errorCode: status } });
  });

  it('of a handle is that of the object that exists, and counts each state of a person', async () => {
    const { status, document } = await get('entity/AE1-TEST');
    const names = document.records.map(({ content }: { content: { vcardArray: [string, string[][]] } }) => {
      return content.vcardArray[1].find(([name]) => name === 'fn')![3];
    });
    expect([status, names]).toEqual([200, ['Alice Exemplary', 'Alice Example']]);
    expect(JSON.stringify(document)).not.toMatch(/alice@example|Example Street/);
    expect(await get('entity/AE1-TEST')).toMatchObject({ status: 429, document: { errorCode: 429 } });
  });
});
