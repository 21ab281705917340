import { once } from 'node:events';
import { connect } from 'node:net';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

// Every interface finds a copy of another registry where it should, and only there.

const source = 'OTHER-GRS';
let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
/** Of the copy: after the first load, and after the second. */
let serials: number[];

/** Objects as another registry publishes them; the second dump has one changed and one fewer. */
const dump = (descr: string, more = '') => `
inetnum:        198.51.100.0 - 198.51.100.255
netname:        OTHER-NET
descr:          ${descr}
country:        ZZ
admin-c:        OTHER-ROLE
tech-c:         OTHER-ROLE
org:            EXAMPL-7
status:         ALLOCATED PORTABLE
mnt-by:         MAINT-OTHER.NET
mnt-irt:        IRT-OTHER-ZZ
source:         OTHER

inetnum:        198.51.100.64 - 198.51.100.127
netname:        OTHER-PART
status:         ASSIGNED NON-PORTABLE
mnt-by:         MAINT-OTHER.NET
source:         OTHER

organisation:   EXAMPL-7
org-name:       Quokka Cooperative
source:         OTHER

role:           Other Desk
nic-hdl:        OTHER-ROLE
abuse-mailbox:  abuse@example.net
source:         OTHER # Filtered

irt:            IRT-OTHER-ZZ
abuse-mailbox:  abuse@example.net
source:         OTHER

mntner:         MAINT-OTHER.NET
source:         OTHER

aut-num:        AS64510
as-name:        OTHER-AS
member-of:      AS64510:AS-REF
mnt-by:         MAINT-OTHER.NET
source:         OTHER

route:          198.51.100.0/24
origin:         AS64510
mnt-by:         MAINT-OTHER.NET
source:         OTHER

as-set:         AS-OTHER
members:        AS64510
source:         OTHER

domain:         100.51.198.in-addr.arpa
nserver:        ns.example.net
source:         OTHER
${more}`;
const gone = `
route:          198.51.100.0/25
origin:         AS64510
source:         OTHER
`;

async function load(text: string): Promise<number> {
  const args = ['load', '--source', source, '--replace', '--allow-deletes', '1', '--wait', '-'];
  expect(await cadastre(system, args, text)).toMatchObject({ code: 0 });
  const { stdout } = await cadastre(system, ['status']);
  return Number(new RegExp(`^${source} +grs +(\\d+)`, 'm').exec(stdout)![1]);
}

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_GRS_SOURCES: source });
  rest = restClient(system);
  serials = [await load(dump('first', gone)), await load(dump('second'))];
  // The index of whois follows by itself.
  await eventually(async () => {
    expect(await whois(`!!\n!s${source}\n!gAS64510\n!q`)).toMatch(/^198\.51\.100\.0\/24$/m);
    expect(await whois(`!j${source}`)).toContain(`${source}:N:0-${serials[1]}`);
  });
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

async function whois(line: string): Promise<string> {
  const [host, port] = system.whois.split(':') as [string, string];
  const socket = connect(Number(port), host);
  socket.write(`${line}\n`);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  await once(socket, 'close');
  return Buffer.concat(pieces).toString('utf8');
}

/** Where the changes of the copy are followed from: the first events after a serial, "operation type key". */
async function changesAfter(serial: number, events: number): Promise<string[]> {
  const stream = new EventSource(`${system.http}/${source}/changes?after=${serial}`);
  const found: string[] = [];
  for (const operation of ['created', 'modified', 'deleted']) {
    stream.addEventListener(`object.${operation}`, ({ data }) => {
      const { type, key } = JSON.parse(data);
      found.push(`${operation} ${type} ${key}`);
    });
  }
  await eventually(async () => expect(found.length).toBeGreaterThanOrEqual(events));
  stream.close();
  return found;
}

const keys = (text: string) => [...text.matchAll(/^(?:inetnum|route|domain|irt|as-set):.*$/gm)].map(([line]) => line);
const inetnum = 'inetnum:        198.51.100.0 - 198.51.100.255';
const part = 'inetnum:        198.51.100.64 - 198.51.100.127';
const route = 'route:          198.51.100.0/24';
const lost = 'route:          198.51.100.0/25';
const object = `/${source}/inetnum/198.51.100.0%20-%20198.51.100.255`;
const search = `/search.txt?source=${source}&query-string=198.51.100.70`;

describe('REST', () => {
  test.each<[string, () => string, readonly string[]]>([
    ['a lookup', () => `${object}.txt`, [inetnum]],
    ['a lookup by prefix, in any letter case', () => '/other-grs/inetnum/198.51.100.0/24.txt', [inetnum]],
    ['a lookup of the past', () => `/${source}/route/198.51.100.0/25AS64510.txt?as-of=${serials[0]}`, [lost]],
    ['a version', () => `${object}/versions/1.txt`, [inetnum]],
    ['a search for an address', () => search, [part, route]],
    ['a search for the past', () => `${search}&as-of=${serials[0]}`, [part, lost]],
    ['a search up the tree', () => `${search}&flags=all-less&type-filter=inetnum`, [inetnum, part]],
    [
      'a search with reverse zones',
      () => `${search}&flags=reverse-domain&type-filter=domain`,
      ['domain:         100.51.198.in-addr.arpa'],
    ],
    [
      'a search with the irt of the network around',
      () => `${search}&flags=irt&type-filter=inetnum`,
      [part, 'irt:            IRT-OTHER-ZZ'],
    ],
    ['an inverse search', () => `/search.txt?source=${source}&query-string=AS64510&inverse-attribute=origin`, [route]],
  ])('%s finds the copy', async (_, path, expected) => {
    const { status, text } = await rest(path());
    expect([status, keys(text)]).toEqual([200, expected]);
  });

  test.each<[string, string, object]>([
    ['versions', `${object}/versions.json`, { versions: { version: [{ revision: 1 }, { revision: 2 }] } }],
    [
      'words',
      `/search/words?source=${source}&query-string=quokka`,
      { found: [{ source, type: 'organisation', key: 'EXAMPL-7', title: 'Quokka Cooperative' }] },
    ],
    [
      'counts',
      `/search/counts?source=${source}&query-string=MAINT-OTHER.NET&inverse-attribute=mnt-by`,
      {
        counts: [
          { type: 'inetnum', objects: 2 },
          { type: 'aut-num', objects: 1 },
          { type: 'route', objects: 1 },
        ],
      },
    ],
    [
      'members of a set',
      `/search/expansion?source=${source}&set=AS-OTHER`,
      { sets: [{ name: 'AS-OTHER', members: ['AS64510'] }] },
    ],
    ['prefixes of a set', `/${source}/as-set/AS-OTHER/expanded`, { source, prefixes: ['198.51.100.0/24'] }],
    [
      'the list of sources',
      '/metadata/sources.json',
      { 'grs-sources': { source: [{ name: 'TEST-GRS' }, { name: source }] } },
    ],
  ])('%s are those of the copy', async (_, path, document) => {
    const { status, text } = await rest(path);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject(document);
  });

  test('used and free addresses are those of the copy', async () => {
    const path = `/search/space?source=${source}&query-string=198.51.100.0/24`;
    const { status, text } = await rest(path, { credential: system.credential });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ source });
  });

  test('a memento of the copy is found by its date', async () => {
    const { text } = await rest(`${object}/versions/timemap`);
    expect(text.match(/memento/g)!.length).toBeGreaterThanOrEqual(2);
  });

  test('changes of the copy are a stream, also the deletions of a replacing load', async () => {
    expect(await changesAfter(serials[0]!, 2)).toEqual([
      'modified inetnum 198.51.100.0 - 198.51.100.255',
      'deleted route 198.51.100.0/25AS64510',
    ]);
  });

  test('the flag "resource" searches copies, too', async () => {
    const { text } = await rest('/search.txt?query-string=198.51.100.70&flags=resource');
    expect(keys(text)).toEqual(expect.arrayContaining([part, route]));
  });

  // A request without a source is about the main one (R5).
  test.each([
    ['a lookup in the main source', '/TEST/route/198.51.100.0/24AS64510', 404],
    ['a search', '/search.txt?query-string=AS64510&type-filter=aut-num', 404],
    ['an abuse contact', '/abuse-contact/AS64510.json', 404],
    ['RDAP of an AS number', '/rdap/autnum/64510', 404],
    ['RDAP of a zone', '/rdap/domain/100.51.198.in-addr.arpa', 404],
    ['RDAP of an entity', '/rdap/entity/MAINT-OTHER.NET', 404],
  ])('%s does not show the copy', async (_, path, status) => {
    const answer = await rest(path);
    expect([answer.status, answer.text]).toEqual([status, expect.not.stringContaining('OTHER-NET')]);
  });

  test.each([
    ['PUT', object],
    ['DELETE', object],
    ['POST', `/${source}/inetnum`],
  ])('%s does not write to the copy', async (method, path) => {
    const body = dump('third').split('\n\n')[0]!;
    const options = { method, credential: system.credential, contentType: 'text/plain', body };
    const { status } = await rest(path, method === 'DELETE' ? { method, credential: system.credential } : options);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect((await rest(`${object}.txt`)).text).toContain('second');
  });
});

describe('port 43', () => {
  test.each<[string, readonly string[]]>([
    [`-s ${source} 198.51.100.70`, [part, route]],
    [`-r -s ${source} -i origin AS64510`, [route]],
    [`-r -L -T inetnum -s ${source} 198.51.100.70`, [inetnum, part]],
    [`-r -B -T as-set -s TEST,${source} AS-OTHER`, ['as-set:         AS-OTHER']],
    ['-r -a -T route 198.51.100.70', [route]],
    ['-r --resource -T route 198.51.100.70', [route]],
    ['-r -T route 198.51.100.70', []],
  ])('RIPE style: %s', async (line, expected) => {
    expect(keys(await whois(line))).toEqual(expected);
  });

  test('RIPE style: the list of sources has the copy', async () => {
    expect(await whois('-q sources')).toContain(`\n${source}:3:`);
  });

  test.each<[string, string]>([
    ['!gAS64510', '198.51.100.0/24'],
    ['!iAS-OTHER', 'AS64510'],
    ['!a4AS-OTHER', '198.51.100.0/24'],
    ['!r198.51.100.0/24,o', 'AS64510'],
    ['!mroute,198.51.100.0/24AS64510', route],
    ['!oMAINT-OTHER.NET', inetnum],
    ['-K -r -i origin AS64510', route],
    ['-r -T inetnum 198.51.100.70', part],
  ])('IRRd style after !s: %s', async (line, expected) => {
    expect(await whois(`!!\n!s${source}\n${line}\n!q`)).toContain(expected);
    expect(await whois(`!!\n!sTEST\n${line}\n!q`)).not.toContain(expected);
  });

  test('IRRd style: the serials of the copy', async () => {
    expect(await whois(`!j${source}`)).toContain(`${source}:N:0-${serials[1]}`);
  });
});
