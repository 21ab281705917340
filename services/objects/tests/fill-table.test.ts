import { LookupStatus } from '@cadastre/proto/objects';
import { inTransaction } from '@cadastre/service';
import { describe, expect, test } from 'vitest';
import { allocateHandle, handlesOf } from '../src/store/handles.js';
import { currentSerial } from '../src/store/serials.js';
import { trimChangesAndVersions } from '../src/store/trimmed-changes.js';
import {
  allChanges,
  allDeletes,
  inetnum,
  loadPieces,
  loadText,
  lookup,
  mntner,
  person,
  put,
  readerOf,
  remove,
  tagsOf,
  useContext,
} from './test-context.js';

const setup = useContext();
const mainId = () => setup.context.sources.main.id;
const newest = () => currentSerial(setup.context.readPool, mainId());

/** Long lines make a large dump of few objects. */
const remarks = `remarks:        ${'0123456789abcdef'.repeat(250)}\n`.repeat(60);
const large = (handle: string) => person(handle).replace(/^source:/m, `${remarks}source:`);

/** More than a load stores in batches. */
const crowd = (stem: string) => Array.from({ length: 90 }, (_, index) => large(`${stem}${index + 1}-TEST`));

async function* pieces(dump: readonly string[], beforeLast: () => Promise<unknown>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${dump.slice(0, -1).join('\n')}\n`);
  await beforeLast();
  yield Buffer.from(dump.at(-1)!);
}

async function tableOf() {
  const { rows } = await setup.context.readPool.query<{ indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename like 'object%' order by indexname`,
  );
  return rows;
}

const isThere = async (type: string, key: string, source = 'TEST') =>
  (await lookup(setup.context, type, key, 0, source)) !== undefined;

describe('a large dump for a small registry', () => {
  test('becomes visible in one step, in one block of serials, beside what others write meanwhile', async () => {
    const { context } = setup;
    const elsewhere = { source: 'EXAMPLE-GRS' };
    await loadText(context, mntner('GRS-MNT').replace(/^source:.*$/m, 'source: EXAMPLE-GRS'), elsewhere);
    await loadText(
      context,
      [person('KA1-TEST'), person('KA2-TEST'), person('KA3-TEST'), person('KA4-TEST')].join('\n'),
    );
    await remove(context, 'person', 'ka3-test');
    const key = { source: 'TEST', type: 'person', key: 'KA2-TEST' };
    await tagsOf(context).attachTag({ keys: [key], tag: { id: 'kept', data: '' } });
    const start = await newest();
    const indexes = await tableOf();
    const known = [person('KA1-TEST'), person('KA2-TEST', 'Changed'), person('KA3-TEST')];
    const dump = [...known, ...crowd('CA'), inetnum('192.0.2.0 - 192.0.2.255'), mntner('ONE-MNT', 'CA1-TEST')];
    const { summary, rejected, progress } = await loadPieces(
      context,
      pieces([...dump, 'person: nobody\n', large('CA90-TEST')], async () => {
        expect(await isThere('person', 'CA1-TEST')).toBe(false);
        expect(await newest()).toBe(start);
        await put(context, person('MW1-TEST'));
      }),
    );
    expect(rejected.map(({ name }) => name)).toEqual(['person', 'person ca90-test']);
    expect(summary).toMatchObject({ created: 93n, modified: 1n, unchanged: 1n, rejected: 2n, serial: start + 95n });

    expect(progress.map(({ storedAtEnd }) => storedAtEnd)).toEqual(progress.map((_, at) => at < progress.length - 1));

    for (const handle of ['KA1', 'KA2', 'KA3', 'KA4', 'CA1', 'CA90', 'MW1']) {
      expect(await isThere('person', `${handle}-TEST`)).toBe(true);
    }
    expect(await isThere('mntner', 'GRS-MNT', 'EXAMPLE-GRS')).toBe(true);
    const changed = await lookup(context, 'person', 'KA2-TEST');
    expect(changed).toMatchObject({ revision: 2, tags: [{ id: 'kept', data: '' }] });
    expect(changed!.text).toContain('Changed');
    expect(await lookup(context, 'person', 'KA1-TEST')).toMatchObject({ revision: 1 });
    expect(await lookup(context, 'person', 'KA3-TEST')).toMatchObject({ revision: 3 });

    const changes = await allChanges(context, mainId(), { after: start, upTo: start + 95n });
    expect(changes.map(({ serial }) => serial)).toEqual(
      Array.from({ length: 95 }, (_, index) => start + 1n + BigInt(index)),
    );
    expect(changes[0]!.stored.key).toBe('mw1-test');
    expect(changes.every(({ serial, stored }) => serial === stored.serial)).toBe(true);
    expect(await tableOf()).toEqual(indexes);
    const { incoming } = await readerOf(context).listReferences({ key: { ...key, key: 'CA1-TEST' }, limit: 0 });
    expect(incoming.map((one) => one.key!.key)).toEqual(['ONE-MNT']);
    const handles = handlesOf(context.writePool, mainId());
    expect(await allocateHandle(handles, 'nic-hdl', 'CA', 'TEST')).toBe('CA91-TEST');
    const again = await loadText(context, dump.join('\n'));
    expect(again.summary).toMatchObject({ created: 0n, modified: 0n, unchanged: 95n });
  });

  test('that ends half-way leaves nothing', async () => {
    const { context } = setup;
    const start = await newest();
    const indexes = await tableOf();
    const broken = pieces(crowd('CB'), async () => {
      throw new Error('the loading program died');
    });
    await expect(loadPieces(context, broken)).rejects.toThrow();
    expect(await newest()).toBe(start);
    expect(await isThere('person', 'CB1-TEST')).toBe(false);
    expect(await tableOf()).toEqual(indexes);
    expect((await loadText(context, crowd('CB').join('\n'))).summary).toMatchObject({ created: 90n });
  });

  test('fails when others create one of its objects meanwhile, which stays; repeated, it changes that object', async () => {
    const { context } = setup;
    const start = await newest();
    const dump = crowd('CC');
    const written = pieces(dump, () => put(context, person('CC7-TEST')));
    await expect(loadPieces(context, written)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await newest()).toBe(start + 1n);
    expect(await isThere('person', 'CC8-TEST')).toBe(false);
    expect((await lookup(context, 'person', 'CC7-TEST'))!.text).toBe(person('CC7-TEST'));
    expect((await loadText(context, dump.join('\n'))).summary).toMatchObject({ created: 89n, modified: 1n });
  });

  test('with replace deletes what the dump does not name, but not what others wrote meanwhile', async () => {
    const { context } = setup;
    const before = await context.readPool.query('select from object where source_id = $1 and not deleted', [mainId()]);
    const dump = pieces(crowd('CD'), () => put(context, person('MW2-TEST')));
    const { summary } = await loadPieces(context, dump, { replace: true, allowedDeletes: allDeletes });
    expect(summary).toMatchObject({ created: 90n, deleted: BigInt(before.rows.length) });
    expect(await isThere('person', 'MW2-TEST')).toBe(true);
    expect(await isThere('person', 'CC7-TEST')).toBe(false);
  });

  test('lets readers pass while another transaction uses the table', async () => {
    const { context } = setup;
    const reader = await context.writePool.connect();
    try {
      await reader.query('begin');
      // Represents a program that continues to read: on a busy machine, its next statement may come late.
      await reader.query('set local idle_in_transaction_session_timeout = 0');
      await reader.query('select from object limit 1');
      let loaded = false;
      const loading = loadText(context, crowd('CE').join('\n')).then(() => {
        loaded = true;
      });
      const waits = `select from pg_locks where mode = 'AccessExclusiveLock' and not granted`;
      while ((await context.writePool.query(waits)).rowCount === 0) expect(loaded).toBe(false);
      const { answers } = await readerOf(context).batchLookup({
        lookups: [{ key: { source: 'TEST', type: 'person', key: 'CD1-TEST' }, view: 0, withContacts: false }],
      });
      expect(answers[0]!.status).toBe(LookupStatus.LOOKUP_STATUS_FOUND);
      expect(loaded).toBe(false);
      await reader.query('commit');
      await loading;
      expect(await isThere('person', 'CE1-TEST')).toBe(true);
    } finally {
      reader.release(true);
    }
  });

  test('is stored in batches by a copy that has forgotten objects, whose revisions it must not repeat', async () => {
    const { context } = setup;
    const source = 'EXAMPLE-GRS';
    const copied = (texts: readonly string[]) => texts.join('\n').replaceAll(/^source:.*$/gm, 'source: EXAMPLE');
    const replacing = { source, replace: true, allowedDeletes: allDeletes };
    await loadText(context, copied([person('CF1-TEST'), person('CF2-TEST')]), replacing);
    await loadText(context, copied([person('CF2-TEST')]), replacing);
    setup.clock.advance(1000);
    const { id } = context.sources.byName(source)!;
    await inTransaction(context.writePool, (db) => trimChangesAndVersions(db, id, setup.clock.now()));
    const { progress } = await loadText(context, copied([person('CF1-TEST'), ...crowd('CG')]), { source });
    expect(progress.map(({ storedAtEnd }) => storedAtEnd)).not.toContain(true);
    for (const handle of ['CF1-TEST', 'CG90-TEST']) {
      expect(await lookup(context, 'person', handle, 0, source)).toMatchObject({ revision: 3 });
    }
  });
});
