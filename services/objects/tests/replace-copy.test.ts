import { DeletionRefusal, type LoadSettings } from '@cadastre/proto/objects';
import type { Call, ServiceError } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { loadHandlers } from '../src/rpc/index.js';
import { currentSerial } from '../src/store/serials.js';
import { newestReplacingLoad } from '../src/store/staged.js';
import { allDeletes, loadPieces, loadText, mirrorOf, requests, useContext } from './test-context.js';

// Loads of a copy of another registry that are one step whatever their size (LoadSettings.all_or_nothing).
const setup = useContext();
const source = 'EXAMPLE-GRS';
const sourceId = () => setup.context.sources.byName(source)!.id;
const serial = () => currentSerial(setup.context.readPool, sourceId());
const person = (n: number, name: string) => `person: ${name}\nnic-hdl: P${n}-XX\nsource: EXAMPLE\n`;
const persons = (from: number, to: number, name: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => person(from + index, name)).join('\n');

/** What readers see: names of persons, and the number of commits. */
async function seen(): Promise<{ name: string; objects: number; commits: number }[]> {
  const { rows } = await setup.context.readPool.query(
    `select substring(text from '^person: +(\\w+)') as name, count(*)::int as objects,
       count(distinct xmin::text)::int as commits
     from object where source_id = $1 and not deleted group by 1 order by 1`,
    [sourceId()],
  );
  return rows;
}

const replace = (text: string, settings: Partial<LoadSettings> = {}) =>
  loadText(setup.context, text, { source, replace: true, allOrNothing: true, ...settings });

test('a first load, a reload of other texts and a deletion of most are one step each', async () => {
  const large = 2_200;
  expect((await replace(persons(1, large, 'First'))).summary).toMatchObject({ created: BigInt(large) });
  expect(await seen()).toEqual([{ name: 'First', objects: large, commits: 1 }]);
  const start = await serial();
  const halfNew = `${persons(1, 100, 'First')}\n${persons(101, large, 'Second')}\n${persons(2_201, 2_210, 'Second')}`;
  expect((await replace(halfNew)).summary).toMatchObject({ modified: 2_100n, created: 10n, serial: start + 2_110n });
  expect(await seen()).toEqual([
    { name: 'First', objects: 100, commits: 1 },
    { name: 'Second', objects: 2_110, commits: 1 },
  ]);
  const { rows: before } = await setup.context.readPool.query('select count(distinct xmin::text) from change');
  const few = await replace(persons(1, 10, 'Third'), { allowedDeletes: allDeletes });
  expect(few.summary).toMatchObject({ modified: 10n, deleted: 2_200n });
  expect(await seen()).toEqual([{ name: 'Third', objects: 10, commits: 1 }]);
  const { rows: after } = await setup.context.readPool.query('select count(distinct xmin::text) from change');
  expect(after[0].count - before[0].count).toBe(1n);
});

test('at no moment of the past there was a part of a load or of applied changes', async () => {
  let seconds = 0;
  const clock = () => new Date(Date.UTC(2026, 5, 1, 0, 0, ++seconds));
  const ticking = { ...setup.context, clock };
  const settings = { source, replace: true, allOrNothing: true, allowedDeletes: allDeletes };
  await loadText(ticking, '', settings);
  const instantsOf = async (work: () => Promise<unknown>) => {
    const start = await serial();
    await work();
    const { rows } = await setup.context.readPool.query(
      'select count(*)::int as changes, count(distinct instant)::int as instants from change where source_id = $1 and serial > $2',
      [sourceId(), start],
    );
    return rows[0];
  };
  const load = (text: string) => instantsOf(() => loadText(ticking, text, settings));
  expect(await load(persons(1, 2_100, 'Whole'))).toEqual({ changes: 2_100, instants: 1 });
  expect(await load(persons(11, 2_110, 'Other'))).toEqual({ changes: 2_110, instants: 1 });
  const changes = [person(1, 'A'), person(2, 'B')].map((value) => ({ change: { $case: 'put' as const, value } }));
  const gone = { $case: 'delete' as const, value: { type: 'person', primaryKey: 'P2000-XX' } };
  async function* messages() {
    yield { part: { $case: 'settings' as const, value: { source } } };
    yield { part: { $case: 'changes' as const, value: { changes: [...changes, { change: gone }] } } };
  }
  const apply = () => mirrorOf(ticking).applyMirrorChanges(messages());
  expect(await instantsOf(apply)).toEqual({ changes: 3, instants: 1 });
});

test('a load that breaks stores nothing, and can be repeated', async () => {
  await replace(persons(1, 100, 'Old'), { allowedDeletes: allDeletes });
  const start = await serial();
  async function* breaking() {
    yield Buffer.from(persons(1, 2_100, 'New'));
    throw new Error('the mirror died');
  }
  const settings = { source, replace: true, allOrNothing: true, allowedDeletes: allDeletes };
  await expect(loadPieces(setup.context, breaking(), settings)).rejects.toThrow();
  expect([await serial(), await seen()]).toEqual([start, [{ name: 'Old', objects: 100, commits: 1 }]]);
  expect((await replace(persons(1, 2_100, 'New'))).summary).toMatchObject({ modified: 100n, created: 2_000n });
});

test.each<[string, string, Partial<LoadSettings>, keyof typeof DeletionRefusal]>([
  ['an empty text', '', {}, 'DELETION_REFUSAL_NO_OBJECT'],
  ['a text of which nothing can be read', 'nonsense\n', {}, 'DELETION_REFUSAL_NO_OBJECT'],
  ['a text with rejected objects, too short', `${persons(1, 89, 'New')}\nnonsense\n`, {}, 'DELETION_REFUSAL_TOO_MANY'],
  ['a text without half of the objects', persons(1, 50, 'New'), {}, 'DELETION_REFUSAL_TOO_MANY'],
  ['more than the settings allow', persons(1, 98, 'New'), { allowedDeletes: 1n }, 'DELETION_REFUSAL_TOO_MANY'],
])('a load of %s that refuses to delete stores nothing', async (_, text, settings, reason) => {
  await replace(persons(1, 100, 'Old'), { allowedDeletes: allDeletes });
  const start = await serial();
  const { summary, refused } = await replace(text, settings);
  expect([summary, refused]).toMatchObject([undefined, { reason: DeletionRefusal[reason], sourceObjects: 100n }]);
  expect([await serial(), await seen()]).toEqual([start, [{ name: 'Old', objects: 100, commits: 1 }]]);
  const { rows } = await setup.context.readPool.query('select from staged');
  expect(rows).toEqual([]);
});

test('rejected objects are usual in a copy: a load without up to a tenth of the objects is one load', async () => {
  await replace(persons(1, 100, 'Old'), { allowedDeletes: allDeletes });
  const { summary } = await replace(`${persons(1, 90, 'New')}\nnonsense\n`);
  expect(summary).toMatchObject({ modified: 90n, deleted: 10n, rejected: 1n });
  expect(await seen()).toEqual([{ name: 'New', objects: 90, commits: 1 }]);
});

test('an object that is there but cannot be read is not deleted', async () => {
  await replace(persons(1, 100, 'Old'), { allowedDeletes: allDeletes });
  const unreadable = 'person: Bad\nnic-hdl: P100-XX\nsource: ELSEWHERE\n';
  const { summary } = await replace(`${persons(1, 99, 'New')}\n${unreadable}`);
  expect(summary).toMatchObject({ modified: 99n, deleted: 0n, rejected: 1n });
  expect((await seen()).map(({ name, objects }) => `${objects} ${name}`)).toEqual(['99 New', '1 Old']);
});

test('ends a mixture of two states that another load has left', async () => {
  await setup.context.writePool.query('update replacing_load set visible = true where source_id = $1', [sourceId()]);
  await replace(persons(1, 10, 'Whole'), { allowedDeletes: allDeletes });
  expect(await newestReplacingLoad(setup.context.readPool, sourceId())).toMatchObject({ visible: false });
});

test.each<[string, Partial<LoadSettings>]>([
  ['the main source', { source: 'TEST' }],
  ['a load without "replace"', { replace: false }],
])('is not for %s', async (_, settings) => {
  await expect(replace('', settings)).rejects.toMatchObject({ kind: 'invalid' });
});

test('the mirror service may load copies only', async () => {
  const { load } = loadHandlers(setup.context);
  const call = { caller: 'mirror', signal: new AbortController().signal, logger: testLogger() } as unknown as Call;
  const outcomeOf = async (name: string) => {
    try {
      for await (const _ of load(requests([], { source: name }), call));
      return 'loaded';
    } catch (error) {
      return (error as ServiceError).kind;
    }
  };
  expect([await outcomeOf('TEST'), await outcomeOf(source)]).toEqual(['forbidden', 'loaded']);
});

test('another name of the source is only for copies', async () => {
  const settings = { source: 'TEST', originSource: 'EXAMPLE' };
  await expect(loadText(setup.context, '', settings)).rejects.toMatchObject({ kind: 'invalid' });
});
