import { ChangeKind } from '@cadastre/proto/objects';
import { inTransaction } from '@cadastre/service';
import { expect, test } from 'vitest';
import { currentSerial } from '../src/store/serials.js';
import { trimChanges } from '../src/store/trimmed-changes.js';
import { feedOf, person, put, remove, tagsOf, useContext } from './test-context.js';

const setup = useContext();

const newest = () => currentSerial(setup.context.readPool, setup.context.sources.main.id);
const list = (afterSerial: bigint, source = 'test') => feedOf(setup.context).listChanges({ source, afterSerial });

function inetnum(maintainers: string, descr = 'Example'): string {
  return [
    'inetnum:        192.0.2.0 - 192.0.2.255',
    `descr:          ${descr}`,
    `mnt-by:         ${maintainers}`,
    'source:         TEST',
    '',
  ].join('\n');
}

const { CHANGE_KIND_CREATED, CHANGE_KIND_MODIFIED, CHANGE_KIND_DELETED, CHANGE_KIND_TAGS } = ChangeKind;

test('each change says what happened, and who maintained the object before and after it', async () => {
  const { context } = setup;
  const start = await newest();
  await put(context, inetnum('A-MNT'));
  await put(context, inetnum('b-mnt, C-MNT'));
  await remove(context, 'inetnum', '192.0.2.0 - 192.0.2.255');
  await put(context, inetnum('D-MNT'));
  const key = { source: 'TEST', type: 'inetnum', key: '192.0.2.0/24' };
  const { serial } = await tagsOf(context).attachTag({ keys: [key], tag: { id: 'unref', data: '' } });
  const page = await list(start);
  expect(page).toMatchObject({ serial, newest: serial, removed: false });
  const reported = page.changes.map(({ kind, revision, maintainers }) => [kind, revision, maintainers]);
  expect(reported).toEqual([
    [CHANGE_KIND_CREATED, 1, ['A-MNT']],
    [CHANGE_KIND_MODIFIED, 2, ['B-MNT', 'C-MNT', 'A-MNT']],
    [CHANGE_KIND_DELETED, 3, ['B-MNT', 'C-MNT']],
    [CHANGE_KIND_CREATED, 4, ['D-MNT']],
    [CHANGE_KIND_TAGS, 4, ['D-MNT']],
  ]);
  expect(page.changes[0]).toEqual({
    serial: start + 1n,
    kind: CHANGE_KIND_CREATED,
    type: 'inetnum',
    key: '192.0.2.0 - 192.0.2.255',
    revision: 1,
    instant: setup.clock.now(),
    maintainers: ['A-MNT'],
    maintainersIncomplete: false,
  });
});

test('maintainers of a large state before a change are left out, and the change says so', async () => {
  const { context } = setup;
  const start = await put(context, inetnum('A-MNT', 'x'.repeat(20_000)));
  await put(context, inetnum('B-MNT'));
  const { changes } = await list(start);
  expect(changes).toMatchObject([{ maintainers: ['B-MNT'], maintainersIncomplete: true }]);
});

test('pages have at most 500 changes, and continue without a gap', async () => {
  const { context } = setup;
  const start = await newest();
  for (let turn = 0; turn < 501; turn++) await put(context, person('PA1-TEST', 'abcdefghij'[turn % 10]));
  const first = await list(start);
  expect(first).toMatchObject({ serial: start + 500n, newest: start + 501n });
  expect(first.changes).toHaveLength(500);
  const second = await list(first.serial);
  expect(second.changes.map((change) => change.serial)).toEqual([start + 501n]);
});

test('a reader with the newest serial, or one ahead of it, gets an empty page', async () => {
  const serial = await newest();
  expect(await list(serial)).toEqual({ changes: [], serial, newest: serial, removed: false });
  expect(await list(serial + 5n)).toEqual({ changes: [], serial: serial + 5n, newest: serial, removed: false });
});

test('a reader is told when the changes after its serial were removed', async () => {
  const { context, clock } = setup;
  clock.advance(1000);
  const sourceId = context.sources.main.id;
  while ((await inTransaction(context.writePool, (db) => trimChanges(db, sourceId, clock.now()))) > 0);
  const last = await put(context, person('RE1-TEST'));
  expect(await list(0n)).toEqual({ changes: [], serial: 0n, newest: last, removed: true });
  expect(await list(last - 1n)).toMatchObject({ changes: [{ serial: last }], removed: false });
});

test('an unknown source is refused', async () => {
  await expect(list(0n, 'NONE')).rejects.toMatchObject({ kind: 'invalid' });
});
