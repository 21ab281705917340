import { LookupStatus, type PastLookup } from '@cadastre/proto/objects';
import { Operation, type RegistryObject } from '@cadastre/proto/registry';
import type { SearchRequest } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
const version: RegistryObject = {
  ...mntner,
  revision: 2,
  lastModified: new Date('2026-01-02T03:04:05Z'),
  text: mntner.text.replace('mnt-by', 'remarks:        old\nmnt-by'),
};

let gateway: RunningGateway;
let base: string;
let status: LookupStatus;
let listFails = false;
let searchOutcome: 'found' | 'forgotten';
const searched: SearchRequest[] = [];
const requested: PastLookup[] = [];

beforeAll(async () => {
  gateway = await startGateway({
    search: {
      async *search(request) {
        searched.push(request);
        if (searchOutcome === 'forgotten') throw new ServiceError('out-of-range', 'Forgotten');
        const found = { object: version, related: false, managedAttributes: [], managedMaintainers: [], messages: [] };
        yield { objects: [found], flags: [], messages: [], serial: 41n, asOfSerial: 41n };
      },
    },
    reader: {
      ...exampleReader,
      batchLookupPast: async ({ lookups }) => {
        requested.push(...lookups);
        const found = status === LookupStatus.LOOKUP_STATUS_FOUND;
        const answer = {
          status,
          object: found ? version : undefined,
          serial: 41n,
          deleted: new Date('2026-01-03T00:00:00Z'),
        };
        return { answers: lookups.map(() => answer) };
      },
      getVersion: async () => ({ object: version, current: false }),
      listVersions: async ({ asOf }) => {
        if (listFails) throw new ServiceError('out-of-range', 'The registry has forgotten this moment of TEST');
        const entry = (revision: number, operation: Operation) => ({
          revision,
          operation,
          instant: new Date(`2026-01-0${revision}T00:00:00Z`),
          serial: BigInt(revision),
          reason: '',
        });
        const all = [
          entry(1, Operation.OPERATION_UPDATE),
          entry(2, Operation.OPERATION_UPDATE),
          entry(3, Operation.OPERATION_DELETE),
        ];
        return { versions: asOf === undefined ? all : all.slice(0, 2), serial: 2n };
      },
    },
  });
  base = `https://localhost:${gateway.gateway.ports().https}`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  status = LookupStatus.LOOKUP_STATUS_FOUND;
  listFails = false;
  requested.length = 0;
  searchOutcome = 'found';
  searched.length = 0;
});

const serial = (value: bigint) => ({ $case: 'serial', value });
const instant = (value: string) => ({ $case: 'instant', value: new Date(value) });

describe('a lookup with as-of', () => {
  it.each([
    ['41', serial(41n)],
    ['0', serial(0n)],
    ['2026-01-02', instant('2026-01-02T00:00:00Z')],
    ['2026-01-02T03:04:05Z', instant('2026-01-02T03:04:05Z')],
    ['2026-01-02T03:04:05.5z', instant('2026-01-02T03:04:05.5Z')],
    ['2026-01-02T03:04:05%2B02:00', instant('2026-01-02T01:04:05Z')],
    ['2026-01-02T03:04:05+02:00', instant('2026-01-02T01:04:05Z')],
    ['2026-01-02T03:04:05-00:30', instant('2026-01-02T03:34:05Z')],
  ])('requests the moment of %s', async (value, point) => {
    expect((await gateway.send(`${path}?as-of=${value}`)).status).toBe(200);
    expect(requested).toMatchObject([{ key: { source: 'TEST' }, moment: { point }, nearest: false }]);
  });

  it.each([
    'x',
    '-1',
    '1.5',
    '99999999999999999999',
    '2026-02-30',
    '2026-01-02T25:00:00Z',
    '2026-01-02T03:04:05',
    '2026'.repeat(9),
  ])('refuses %s', async (value) => {
    const { status: sent, text } = await gateway.send(`${path}.json?as-of=${value}`);
    expect([sent, requested]).toEqual([400, []]);
    expect(text).toContain("of parameter '%s'");
  });

  it('shows the version with its number, and the headers of a memento', async () => {
    const { headers, text } = await gateway.send(`${path}?as-of=41`);
    expect(text).toContain('<object type="mntner" version="2">');
    const url = `${base}${path}`;
    expect(headers).toMatchObject({
      'cadastre-serial': '41',
      'cache-control': 'no-cache',
      'content-location': `${url}/versions/2`,
      'memento-datetime': 'Fri, 02 Jan 2026 03:04:05 GMT',
      link: `<${url}>; rel="original timegate", <${url}/versions/timemap>; rel="timemap"; type="application/link-format"`,
      vary: expect.stringContaining('Accept-Datetime'),
    });
    expect((await gateway.send(`${path}.txt?as-of=41`)).text).toBe(version.text);
  });

  it.each([
    ['NOT_FOUND', LookupStatus.LOOKUP_STATUS_NOT_FOUND, '41', 404, 'ERROR:101: no entries found'],
    ['DELETED', LookupStatus.LOOKUP_STATUS_DELETED, '41', 404, 'The object was deleted on %s'],
    ['AHEAD', LookupStatus.LOOKUP_STATUS_AHEAD, '42', 400, 'The serial %s is greater than the newest one'],
    ['AHEAD of a time', LookupStatus.LOOKUP_STATUS_AHEAD, '2999-01-01', 400, 'This time is in the future'],
    ['FORGOTTEN', LookupStatus.LOOKUP_STATUS_FORGOTTEN, '1', 410, 'The source %s has no history from this time'],
    ['ERASED', LookupStatus.LOOKUP_STATUS_ERASED, '1', 410, 'The operator has erased'],
    ['UNKNOWN_SOURCE', LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE, '1', 400, "Invalid source '%s'"],
  ])('answers %s', async (_name, given, asOf, expected, message) => {
    status = given;
    const { status: sent, text } = await gateway.send(`${path}.json?as-of=${asOf}`);
    expect(sent).toBe(expected);
    const texts = JSON.parse(text).errormessages.errormessage.map((one: { text: string }) => one.text);
    expect(texts.join('\n')).toContain(message);
  });

  it.each(['unfiltered', 'resource-holder', 'abuse-contact', 'managed-attributes'])(
    'refuses %s, which the past has not',
    async (name) => {
      expect(await gateway.send(`${path}?as-of=41&${name}`)).toMatchObject({ status: 400 });
      expect(await gateway.send(`${path}?as-of=41&${name}=false`)).toMatchObject({ status: 200 });
    },
  );
});

describe('a search with as-of', () => {
  const url = '/search.json?query-string=10.0.0.1&as-of=41';

  it('requests the moment, and has its serial', async () => {
    const { status: sent, headers } = await gateway.send(url);
    expect([sent, headers['cadastre-serial']]).toEqual([200, '41']);
    expect(searched).toMatchObject([{ query: '10.0.0.1', asOf: { point: serial(41n) } }]);
  });

  it.each([
    ['annotations', 'as-of=41&resource-holder'],
    ['checks of ROAs', 'as-of=41&roa-check'],
    ['no moment', 'as-of=x'],
  ])('with %s is refused', async (_, query) => {
    expect(await gateway.send(`/search?query-string=10.0.0.1&${query}`)).toMatchObject({ status: 400 });
    expect(searched).toEqual([]);
  });

  it('of a removed moment is 410', async () => {
    searchOutcome = 'forgotten';
    expect(await gateway.send(url)).toMatchObject({ status: 410 });
  });
});

describe('a lookup with Accept-Datetime', () => {
  const datetime = 'Fri, 02 Jan 2026 03:04:05 GMT';

  it('requests the nearest version of that time; as-of takes precedence', async () => {
    const { headers } = await gateway.send(path, { headers: { 'accept-datetime': datetime } });
    expect(headers['memento-datetime']).toBe(datetime);
    await gateway.send(`${path}?as-of=41`, { headers: { 'accept-datetime': datetime } });
    expect(requested).toMatchObject([
      { moment: { point: instant('2026-01-02T03:04:05Z') }, nearest: true },
      { moment: { point: serial(41n) }, nearest: false },
    ]);
  });

  it.each(['2026-01-02T03:04:05Z', 'yesterday', 'Fri, 02 Xyz 2026 03:04:05 GMT', ''])('refuses "%s"', async (value) => {
    expect(await gateway.send(path, { headers: { 'accept-datetime': value } })).toMatchObject({ status: 400 });
  });
});

describe('versions', () => {
  it('have the headers of a memento', async () => {
    const { headers } = await gateway.send(`${path}/versions/2`);
    expect(headers['memento-datetime']).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
    expect(headers.link).toContain(`<${base}${path}>; rel="original timegate"`);
  });

  it('are listed up to a moment', async () => {
    const revisions = async (query: string) =>
      JSON.parse((await gateway.send(`${path}/versions.json${query}`)).text).versions.version.map(
        (one: { revision: number }) => one.revision,
      );
    expect(await revisions('')).toEqual([1, 2, 3]);
    expect(await revisions('?as-of=2')).toEqual([1, 2]);
    listFails = true;
    expect(await gateway.send(`${path}/versions?as-of=1`)).toMatchObject({ status: 410 });
    expect(await gateway.send(`${path}/versions?as-of=x`)).toMatchObject({ status: 400 });
  });

  it('have a TimeMap', async () => {
    const { headers, text } = await gateway.send(`${path}/versions/timemap`);
    expect(headers['content-type']).toBe('application/link-format');
    const url = `${base}${path}`;
    expect(text).toBe(
      `${[
        `<${url}>;rel="original timegate"`,
        `<${url}/versions/timemap>;rel="self";type="application/link-format"`,
        `<${url}/versions/1>;rel="first memento";datetime="Thu, 01 Jan 2026 00:00:00 GMT"`,
        `<${url}/versions/2>;rel="last memento";datetime="Fri, 02 Jan 2026 00:00:00 GMT"`,
      ].join(',\n')}\n`,
    );
  });
});
