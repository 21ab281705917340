import { DumpEncoding } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { samples } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { allocateHandle, handlesOf, reserveHandle } from '../src/store/handles.js';
import { currentSerial } from '../src/store/serials.js';
import {
  allChanges,
  allDeletes,
  hierarchyOf,
  inetnum,
  loaderOf,
  loadPieces,
  loadText,
  lookup,
  mntner,
  person,
  put,
  readerOf,
  remove,
  requests,
  tagsOf,
  text,
  useContext,
} from './test-context.js';

const setup = useContext();
const mainId = () => setup.context.sources.main.id;
const newest = () => currentSerial(setup.context.readPool, mainId());
const persons = (stem: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => person(`${stem}${from + index}-TEST`)).join('\n');

/** A dump like those of old registries: comments, tabs, short lines, continuation lines, old values. */
const oddDump = `# An invented dump.

%% and another kind of comment
person:\t\tOld Person
address:        First line
\t\tSecond line
+
                Last line
phone:+441632960001
nic-hdl:OP1-TEST
abuse-mailbox:  abuse@example.net
mnt-by:         OLD-MNT # who else
changed:        old@example.net 19990101
created:        1999-01-01T12:00:00Z
last-modified:  2004-05-06T07:08:09Z
source:         test


mntner: OLD-MNT
descr:  Maintained since long ago
admin-c: OP1-TEST
upd-to: old@example.net
auth: CRYPT-PW abcdefghijklm
# a comment inside an object
auth: MAIL-FROM .*@example.net
auth: NONE
mnt-by: OLD-MNT
source: TEST # Filtered`;

describe('a load', () => {
  test('stores objects of all ages, with their dates and their text', async () => {
    const { summary, rejected } = await loadText(setup.context, oddDump);
    expect(rejected).toEqual([]);
    expect(summary).toMatchObject({ created: 2n, modified: 0n, unchanged: 0n, rejected: 0n });
    const old = (await lookup(setup.context, 'person', 'op1-test'))!;
    expect(old.created).toEqual(new Date('1999-01-01T12:00:00Z'));
    expect(old.lastModified).toEqual(new Date('2004-05-06T07:08:09Z'));
    expect(old.text).toContain(
      'address:        First line\n                Second line\n+\n                Last line\n',
    );
    const maintainer = (await lookup(setup.context, 'mntner', 'OLD-MNT'))!;
    expect(maintainer.text).toContain('auth:           CRYPT-PW abcdefghijklm\n');
    expect(maintainer.created).toBeUndefined();
    expect(maintainer.lastModified).toEqual(setup.clock.now());
    const key = { source: 'TEST', type: 'person', key: 'OP1-TEST' };
    const { incoming } = await readerOf(setup.context).listReferences({ key, limit: 0 });
    expect(incoming.map((one) => one.key!.key)).toEqual(['OLD-MNT']);
  });

  test('stores the roots of delegations, which every dump has, and delegations below them', async () => {
    const roots = ['in-addr.arpa', 'ip6.arpa', 'e164.arpa'];
    const names = [...roots, '10.in-addr.arpa', '1.3.e164.arpa'];
    const dump = names.map((name) => samples.domain.replace(/^domain:.*$/m, `domain:         ${name}`));
    const { rejected, summary } = await loadText(setup.context, dump.join('\n'));
    expect([rejected, summary?.created]).toEqual([[], BigInt(names.length)]);
    for (const root of roots) expect((await lookup(setup.context, 'domain', root))?.key).toBe(root);
  });

  test('accepts objects about resources of other regions under the name of their part, for allowed types', async () => {
    const foreign = (text: string) => text.replace(/^source:.*$/m, 'source:         TEST-NONAUTH');
    const { summary, rejected } = await loadText(
      setup.context,
      [foreign(samples['aut-num']), foreign(person('RF1-TEST'))].join('\n'),
    );
    expect(summary).toMatchObject({ created: 1n, rejected: 1n });
    expect(rejected[0]!.reasons).toEqual(['The object is of the source TEST-NONAUTH, not of TEST']);
  });

  test('rejects invalid objects with line, name and reasons, and continues', async () => {
    const dump = [
      'nonsense without a colon\n',
      'internet: 192.0.2.0\nsource: TEST\n',
      person('RJ1-TEST').replace('source:         TEST\n', ''),
      person('RJ2-TEST').replace('phone:  ', 'phony:  '),
      person('RJ3-TEST').replace('source:         TEST', 'source:         OTHER'),
      person('RJ4-TEST').replace('nic-hdl:        RJ4-TEST\n', ''),
      inetnum('192.0.2.9 - 192.0.2.1'),
      person('RJ5-TEST', 'Bell \u0007'),
      mntner('RJ7-MNT').replace(/mnt-by:.*\n/, ''),
      mntner('RJ8-MNT').replace(/(source:.*\n)/, '$1$1'),
      person('RJ6-TEST'),
      person('rj6-test', 'The same key again'),
    ].join('\n');
    const { summary, rejected } = await loadText(setup.context, dump);
    const startLines = dump
      .split('\n')
      .flatMap((line, index, lines) => (line !== '' && (lines[index - 1] ?? '') === '' ? [index + 1] : []));
    expect(rejected.map(({ line }) => Number(line))).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11].map((index) => startLines[index]),
    );
    expect(rejected.map(({ name }) => name)).toEqual([
      'nonsense without a colon',
      'internet: 192.0.2.0',
      'person RJ1-TEST',
      'person RJ2-TEST',
      'person RJ3-TEST',
      'person',
      'inetnum 192.0.2.9 - 192.0.2.1',
      'person RJ5-TEST',
      'mntner RJ7-MNT',
      'mntner RJ8-MNT',
      'person rj6-test',
    ]);
    expect(rejected.every(({ reasons }) => reasons.length > 0 && reasons.every((reason) => reason !== ''))).toBe(true);
    expect(rejected[4]!.reasons).toEqual(['The object is of the source OTHER, not of TEST']);
    expect(summary).toMatchObject({ created: 1n, rejected: 11n });
    expect((await lookup(setup.context, 'person', 'RJ6-TEST'))!.text).toBe(person('RJ6-TEST'));
  });

  test('a second time changes nothing; changed objects get versions, deleted ones return', async () => {
    const { context } = setup;
    await loadText(context, [person('AG1-TEST'), person('AG2-TEST'), person('AG3-TEST')].join('\n'));
    await tagsOf(context).attachTag({
      keys: [{ source: 'TEST', type: 'person', key: 'AG2-TEST' }],
      tag: { id: 'kept', data: '' },
    });
    await remove(context, 'person', 'ag3-test');
    const start = await newest();
    const dump = [person('AG1-TEST'), person('AG2-TEST', 'Changed'), person('AG3-TEST'), person('AG4-TEST')].join('\n');
    const { summary } = await loadText(context, dump);
    expect(summary).toMatchObject({ created: 2n, modified: 1n, unchanged: 1n, serial: start + 3n });
    const objects = await Promise.all([1, 2, 3, 4].map((n) => lookup(context, 'person', `AG${n}-TEST`)));
    expect(objects.map((object) => object!.revision)).toEqual([1, 2, 3, 1]);
    expect(objects[1]!.tags).toEqual([{ id: 'kept', data: '' }]);
    const key = { source: 'TEST', type: 'person', key: 'AG2-TEST' };
    const first = await readerOf(context).getVersion({ key, revision: 1, withContacts: false });
    expect(first.object!.text).toContain('Some Body');
    const part = { after: start, upTo: start + 3n };
    const changes = await allChanges(context, mainId(), part);
    expect(changes.map(({ stored }) => stored.key).sort()).toEqual(['ag2-test', 'ag3-test', 'ag4-test']);
    expect((await loadText(context, dump)).summary).toMatchObject({ unchanged: 4n, serial: start + 3n });
  });

  test('accepts a dump in arbitrary pieces, in both encodings', async () => {
    const { context } = setup;
    const dump = [person('CU1-TEST', 'Jürgen Ñandú'), inetnum('198.51.100.0 - 198.51.100.255'), mntner('CUT-MNT')].join(
      '\n',
    );
    const cut = (bytes: Buffer, size: number) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, at * size + size));
    const latin1 = await loadPieces(context, cut(Buffer.from(dump, 'latin1'), 7));
    expect(latin1.summary).toMatchObject({ created: 3n, rejected: 0n });
    const encoding = DumpEncoding.DUMP_ENCODING_UTF8;
    const utf8 = await loadPieces(context, cut(Buffer.from(dump, 'utf8'), 1), { encoding });
    expect(utf8.summary).toMatchObject({ unchanged: 3n });
    const outside = person('CU2-TEST', 'Привет 🙂');
    await loadPieces(context, [Buffer.from(outside, 'utf8')], { encoding });
    expect((await lookup(context, 'person', 'CU2-TEST'))!.text).toContain('?????? ?\n');
  });

  test('normalises keys, so that every spelling finds the object', async () => {
    await loadText(setup.context, inetnum('203.0.113.0/24'));
    const object = await lookup(setup.context, 'inetnum', '203.0.113.0 - 203.0.113.255');
    expect(object!.text).toContain('inetnum:        203.0.113.0 - 203.0.113.255\n');
  });

  test('finds loaded ranges in every address space', async () => {
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
    const ranges = [
      ...['::/0', '::/128', '2001:db8::/32', '2001:db8:ffff::/48', 'ffff:ffff:ffff:ffff::/64'].map(inet6num),
      inetnum('0.0.0.0 - 255.255.255.255'),
      inetnum('10.1.1.3 - 10.1.1.9'),
      text([['as-block', 'AS0 - AS4294967295'], ...rest]),
      text([['as-block', 'AS64496 - AS64511'], ...rest]),
    ];
    expect((await loadText(setup.context, ranges.join('\n'))).summary).toMatchObject({ created: 9n });
    const request = {
      source: 'TEST',
      types: ['inetnum', 'inet6num', 'as-block'],
      scope: 4,
      view: 0,
      shareObjects: false,
    };
    const resources = ['::', '2001:db8:ffff::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '10.1.1.9', 'AS64511'];
    const { answers } = await hierarchyOf(setup.context).batchFindEnclosing({ ...request, resources });
    expect(answers.map(({ objects }) => objects.map((object) => object.key))).toEqual([
      ['::/128', '::/0'],
      ['2001:db8:ffff::/48', '2001:db8::/32', '::/0'],
      ['ffff:ffff:ffff:ffff::/64', '::/0'],
      ['10.1.1.3 - 10.1.1.9', '0.0.0.0 - 255.255.255.255'],
      ['AS64496 - AS64511', 'AS0 - AS4294967295'],
    ]);
    const changed = ranges.map((range) => range.replace('source: ', 'remarks:        changed\nsource: '));
    expect((await loadText(setup.context, changed.join('\n'))).summary).toMatchObject({ modified: 9n });
    const again = await hierarchyOf(setup.context).batchFindEnclosing({ ...request, resources });
    expect(again.answers.map(({ objects }) => objects.map((object) => object.key))).toEqual(
      answers.map(({ objects }) => objects.map((object) => object.key)),
    );
  });

  test('of nothing at all is an empty summary', async () => {
    const { summary, rejected } = await loadText(setup.context, '# nothing\n\n');
    expect(summary).toMatchObject({ created: 0n, rejected: 0n, serial: await newest() });
    expect(rejected).toEqual([]);
  });

  test('with dry run counts, and stores nothing', async () => {
    const { context } = setup;
    await loadText(context, persons('DR', 1, 2));
    const start = await newest();
    const dump = [person('DR1-TEST'), person('DR2-TEST', 'Changed'), person('DR3-TEST')].join('\n');
    const { summary } = await loadText(context, dump, { dryRun: true });
    expect(summary).toMatchObject({ created: 1n, modified: 1n, unchanged: 1n, serial: start });
    expect(await lookup(context, 'person', 'DR3-TEST')).toBeUndefined();
  });

  test('accepts sets larger than any update may be', async () => {
    const members = Array.from({ length: 60_000 }, (_, n) => `AS${n + 1}`);
    const set = (name: string, lines: readonly string[]) =>
      text([
        ['as-set', name],
        ...lines.map((line) => ['members', line] as const),
        ['tech-c', 'SB1-TEST'],
        ['admin-c', 'SB1-TEST'],
        ['mnt-by', 'ONE-MNT'],
        ['source', 'TEST'],
      ]);
    const dump = [set('AS-LIST', [members.join(', ')]), set('AS-LINES', members)].join('\n');
    expect((await loadText(setup.context, dump)).summary).toMatchObject({ created: 2n, rejected: 0n });
  });

  test('marks handles as taken, so that AUTO keys never collide with them', async () => {
    const { context } = setup;
    const org = text([
      ['organisation', 'ORG-HT7-TEST'],
      ['org-name', 'Example Organisation'],
      ['org-type', 'OTHER'],
      ['address', 'Street'],
      ['e-mail', 'org@example.net'],
      ['mnt-ref', 'ONE-MNT'],
      ['mnt-by', 'ONE-MNT'],
      ['source', 'TEST'],
    ]);
    await loadText(
      context,
      [person('HT1-TEST'), person('HT2-TEST'), person('HT4-TEST'), person('HT3'), org].join('\n'),
    );
    await remove(context, 'person', 'ht4-test');
    const handles = handlesOf(context.writePool, mainId());
    expect(await allocateHandle(handles, 'nic-hdl', 'HT', 'TEST')).toBe('HT3-TEST');
    expect(await allocateHandle(handles, 'nic-hdl', 'HT', 'TEST')).toBe('HT5-TEST');
    expect(await allocateHandle(handles, 'organisation', 'HT', 'TEST')).toBe('ORG-HT8-TEST');
    expect(await reserveHandle(handles, 'role', 'ht4-test')).toBe(false);
    expect(await reserveHandle(handles, 'role', 'ht9-test')).toBe(true);
    expect(await reserveHandle(handles, 'role', 'ht9-test')).toBe(false);
  });

  test('refuses unknown sources, missing settings and settings in the middle', async () => {
    await expect(loadText(setup.context, '', { source: 'NO' })).rejects.toMatchObject({ kind: 'invalid' });
    async function* noSettings() {
      yield { part: { $case: 'data' as const, value: Buffer.from(person('NS1-TEST')) } };
    }
    async function* twice() {
      yield* requests([], {});
      yield* requests([], {});
    }
    for (const messages of [noSettings(), twice()]) {
      const first = loaderOf(setup.context).load(messages)[Symbol.asyncIterator]().next();
      await expect(first).rejects.toMatchObject({ kind: 'invalid' });
    }
  });
});

describe('large loads', () => {
  /** Objects that are stored together. */
  const batch = 2_000n;
  const grs = { source: 'EXAMPLE-GRS' };
  const large = (count: number, name?: string) =>
    Array.from({ length: count }, (_, index) =>
      person(`LA${index + 1}-TEST`, name).replace('source:         TEST', 'source:         EXAMPLE-GRS'),
    );
  const grsId = () => setup.context.sources.byName('EXAMPLE-GRS')!.id;
  const grsSerial = () => currentSerial(setup.context.readPool, grsId());

  async function* cutOffAfter(dump: string[], objects: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < objects; at += 100) yield Buffer.from(`${dump.slice(at, at + 100).join('\n')}\n`);
    throw new Error('the loading program died');
  }

  test('that end half-way leave whole batches, delete nothing, and can be repeated', async () => {
    const { context } = setup;
    const dump = large(25_000);
    await expect(loadPieces(context, cutOffAfter(dump, 12_500), { ...grs, replace: true })).rejects.toThrow();
    expect(await grsSerial()).toBe(6n * batch);
    const { rows } = await context.readPool.query(
      'select count(*) as objects, count(distinct serial) as serials, max(serial) as last from object where source_id = $1',
      [grsId()],
    );
    expect(rows[0]).toEqual({ objects: 6n * batch, serials: 6n * batch, last: 6n * batch });
    const { summary, progress } = await loadText(context, dump.join('\n'), { ...grs, replace: true });
    expect(summary).toMatchObject({ created: 13_000n, unchanged: 12_000n, deleted: 0n, serial: 25_000n });
    const afterBatches = Array.from({ length: 12 }, (_, index) => BigInt(index + 1) * batch);
    expect(progress.map(({ objects }) => objects)).toEqual([...afterBatches, 25_000n, 25_000n]);
    // A person has seven lines and an empty one.
    const firstLines = progress.map(({ objects }) => (objects - 1n) * 8n + 1n);
    expect(progress.map(({ line }) => line)).toEqual(firstLines);
    // The source had objects, so readers see the old state or the new one.
    expect(progress.map(({ storedAtEnd }) => storedAtEnd)).toEqual(progress.map((_, at) => at < progress.length - 1));
  });

  test('whose connection to the database breaks fail, keep whole batches, and do not block the next', async () => {
    const { context } = setup;
    const before = await newest();
    const dump = persons('KI', 1, 15_000);
    async function* killing() {
      yield Buffer.from(dump);
      await context.writePool.query(
        // Waits until they have ended: until then they may hold the lock of the source.
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
         where datname = current_database() and application_name = 'cadastre-objects-load'`,
      );
      yield Buffer.from(`\n${persons('KJ', 1, 15_000)}`);
    }
    await expect(loadPieces(context, killing())).rejects.toThrow();
    expect(((await newest()) - before) % batch).toBe(0n);
    expect(await newest()).toBeLessThan(before + 15_000n);
    const { summary } = await loadText(context, dump);
    expect(summary!.created + summary!.unchanged).toBe(15_000n);
    expect(await newest()).toBe(before + 15_000n);
  });

  test('with replace delete what the dump does not name, with history and change entries', async () => {
    const { context } = setup;
    const start = await grsSerial();
    const dump = large(20_000).slice(0, 19_990);
    dump[0] = dump[0]!.replace('source:         EXAMPLE-GRS\n', ''); // rejected, but named
    const stayed = await loadText(context, dump[0]!.concat('source: EXAMPLE-GRS\n'), grs);
    expect(stayed.summary).toMatchObject({ unchanged: 1n });
    const replacing = { ...grs, replace: true, allowedDeletes: 5010n };
    const { summary, rejected } = await loadText(context, dump.join('\n'), replacing);
    expect(rejected).toHaveLength(1);
    expect(summary).toMatchObject({ created: 0n, unchanged: 19_989n, deleted: 5010n, serial: start + 5010n });
    expect(await lookup(context, 'person', 'LA1-TEST', 0, 'EXAMPLE-GRS')).toBeDefined();
    expect(await lookup(context, 'person', 'LA20000-TEST', 0, 'EXAMPLE-GRS')).toBeUndefined();
    const key = { source: 'EXAMPLE-GRS', type: 'person', key: 'LA20000-TEST' };
    const { versions } = await readerOf(context).listVersions({ key });
    expect(versions.map(({ operation }) => operation)).toEqual([
      Operation.OPERATION_UPDATE,
      Operation.OPERATION_DELETE,
    ]);
    const part = { after: start, upTo: start + 5010n };
    const changes = await allChanges(context, grsId(), part);
    expect(changes.map((change) => change.serial)).toEqual(
      Array.from({ length: 5010 }, (_, index) => start + BigInt(index + 1)),
    );
    expect(changes.every(({ stored }) => stored.deleted && stored.text.includes('nic-hdl'))).toBe(true);
  });

  test('one at a time per source; another source is free', async () => {
    const { context } = setup;
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    async function* slow() {
      started.resolve();
      yield Buffer.from(`${person('SL1-TEST')}\n`);
      await release.promise;
    }
    const first = loadPieces(context, slow());
    await started.promise;
    await expect(loadText(context, person('SL2-TEST'))).rejects.toMatchObject({ kind: 'conflict' });
    expect((await loadText(context, '', grs)).summary).toBeDefined();
    release.resolve();
    expect((await first).summary).toMatchObject({ created: 1n });
    expect((await loadText(context, person('SL2-TEST'))).summary).toMatchObject({ created: 1n });
  });

  test('and concurrent writes do not disturb each other, and replace keeps what was written meanwhile', async () => {
    const { context } = setup;
    const before = await newest();
    const dump = Array.from({ length: 21_000 }, (_, index) => person(`W${'ABC'[index % 3]}${index + 1}-TEST`));
    let writing = Promise.resolve<unknown>(undefined);
    let writes = 0;
    async function* withWrites() {
      for (let at = 0; at < dump.length; at += 500) {
        yield Buffer.from(`${dump.slice(at, at + 500).join('\n')}\n`);
        const turn = ++writes;
        writing = writing.then(() => put(context, person(`MW${turn}-TEST`)));
      }
      await writing;
    }
    const { summary } = await loadPieces(context, withWrites(), { replace: true, allowedDeletes: allDeletes });
    expect(summary!.created).toBe(21_000n);
    const changed = 21_000n + BigInt(writes) + summary!.deleted;
    expect(await newest()).toBe(before + changed);
    for (let turn = 1; turn <= writes; turn++) {
      expect(await lookup(context, 'person', `MW${turn}-TEST`)).toBeDefined();
    }
    const part = { after: before, upTo: await newest() };
    const changes = await allChanges(context, mainId(), part);
    expect(changes.map((change) => change.serial)).toEqual(
      Array.from({ length: Number(changed) }, (_, index) => before + BigInt(index + 1)),
    );
  });
});

describe('a load into a copy of another registry', () => {
  const source = 'EXAMPLE-GRS';
  const foreign = (...lines: string[]) => `${lines.join('\n')}\n`;
  const reasonsOf = async (text: string) => (await loadText(setup.context, text, { source })).rejected[0]?.reasons;

  test('takes the source of the registry and that of the copy, with comments, and stores that of the copy', async () => {
    const written = ['EXAMPLE', 'Example # Filtered', 'EXAMPLE-GRS', 'example-grs # Filtered'];
    const dump = written.map((value, n) => foreign('person: A', `nic-hdl: FS${n}-XX`, `source: ${value}`)).join('\n');
    expect((await loadText(setup.context, dump, { source })).rejected).toEqual([]);
    const texts = written.map(async (_, n) => (await lookup(setup.context, 'person', `FS${n}-XX`, 0, source))!.text);
    expect((await Promise.all(texts)).map((text) => text.split('\n')[2])).toEqual([
      'source:         EXAMPLE-GRS',
      'source:         EXAMPLE-GRS # Filtered',
      'source:         EXAMPLE-GRS',
      'source:         EXAMPLE-GRS # Filtered',
    ]);
    expect((await loadText(setup.context, dump, { source })).summary).toMatchObject({ unchanged: 4n });
  });

  test.each<[string, string, string]>([
    ['another source', foreign('mntner: A', 'source: OTHER'), 'The object is of the source OTHER, not of EXAMPLE'],
    ['no source', foreign('mntner: A', 'descr: cut'), 'The object does not say its source'],
    [
      'two sources',
      foreign('mntner: A', 'source: EXAMPLE', 'descr: x', 'source: EXAMPLE'),
      'Attribute "source" appears more than once',
    ],
    [
      'a name that is none of an attribute',
      foreign('mntner: A', 'two words: x', 'source: EXAMPLE'),
      'two words: "two words" is not a known RPSL attribute',
    ],
    [
      'a key with a blank',
      foreign('organisation: A B', 'source: EXAMPLE'),
      'Not the key of an organisation. Expected: Up to 254 ASCII characters without blanks.',
    ],
    [
      'a range that is none',
      foreign('route: 192.0.2.1/24', 'origin: AS64500', 'source: EXAMPLE'),
      'Not the key of a route. Expected: An IPv4 prefix "address/length" with zero host bits. "AS" and a number from 0 to 4294967295 without leading zeros.',
    ],
  ])('rejects an object with %s', async (_, text, reason) => {
    expect(await reasonsOf(text)).toEqual([reason]);
  });

  test('takes no handle', async () => {
    await loadText(setup.context, foreign('person: A', 'nic-hdl: TH5-XX', 'source: EXAMPLE'), { source });
    const { rows } = await setup.context.readPool.query('select from handle where source_id = $1', [
      setup.context.sources.byName(source)!.id,
    ]);
    expect(rows).toEqual([]);
  });
});
