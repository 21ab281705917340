import { randomBytes } from 'node:crypto';
import { DeletionRefusal, type LoadSettings } from '@cadastre/proto/objects';
import { expect, test } from 'vitest';
import { currentSerial } from '../src/store/serials.js';
import { allDeletes, loadText, person, useContext } from './test-context.js';

// What a replacing load may delete (LoadSettings.allowed_deletes). Each test has a source of 20 persons.
const setup = useContext();
const serial = () => currentSerial(setup.context.readPool, setup.context.sources.main.id);
const persons = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => person(`RE${from + index}-TEST`)).join('\n');

async function keys(): Promise<string[]> {
  const { rows } = await setup.context.readPool.query('select key from object where not deleted order by key');
  return rows.map(({ key }) => key);
}

const replace = (text: string, settings: Partial<LoadSettings> = {}) =>
  loadText(setup.context, text, { replace: true, ...settings });

/** Fills the source with the persons 1 to 20, and nothing else. */
const fill = () => replace(persons(1, 20), { allowedDeletes: allDeletes });

const damaged = `${persons(1, 19)}\n${person('RE20-TEST').slice(0, 60)}`;
const noise = randomBytes(300_000).toString('latin1');

test.each<[string, string, keyof typeof DeletionRefusal, number]>([
  ['an empty text', '', 'DELETION_REFUSAL_NO_OBJECT', 20],
  ['nothing but comments', '# nothing\n\n% here\n', 'DELETION_REFUSAL_NO_OBJECT', 20],
  ['random bytes', noise, 'DELETION_REFUSAL_REJECTED_OBJECTS', 20],
  ['a text whose last object is cut', damaged, 'DELETION_REFUSAL_REJECTED_OBJECTS', 1],
  ['half of the source', persons(1, 10), 'DELETION_REFUSAL_TOO_MANY', 10],
  ['a little less than nine tenths', persons(1, 17), 'DELETION_REFUSAL_TOO_MANY', 3],
  ['new objects alone, however many', persons(101, 300), 'DELETION_REFUSAL_TOO_MANY', 20],
])('%s deletes nothing', async (_, text, reason, deletes) => {
  await fill();
  const { summary, refused } = await replace(text);
  expect(summary).toBeUndefined();
  expect(refused).toMatchObject({ reason: DeletionRefusal[reason], deletes: BigInt(deletes), sourceObjects: 20n });
  expect(refused?.loaded).toMatchObject({ deleted: 0n, serial: await serial() });
  expect(await keys()).toEqual(
    expect.arrayContaining(
      persons(1, 20)
        .match(/RE\d+-TEST/g)!
        .map((k) => k.toLowerCase()),
    ),
  );
});

test.each<[string, string, Partial<LoadSettings>, number]>([
  ['nine tenths of the source', persons(1, 18), {}, 2],
  ['as many as the settings allow', persons(1, 5), { allowedDeletes: 15n }, 15],
  ['all, when the settings allow all', '', { allowedDeletes: allDeletes }, 20],
  ['with rejected objects, when the settings allow it', damaged, { allowedDeletes: 1n }, 1],
])('%s deletes the rest', async (_, text, settings, deleted) => {
  await fill();
  const { summary, refused } = await replace(text, settings);
  expect([summary?.deleted, refused]).toEqual([BigInt(deleted), undefined]);
  expect(await keys()).toHaveLength(20 - deleted);
});

test('more than the settings allow are not deleted', async () => {
  await fill();
  const { refused } = await replace(persons(1, 18), { allowedDeletes: 1n });
  expect(refused).toMatchObject({ reason: DeletionRefusal.DELETION_REFUSAL_TOO_MANY, deletes: 2n });
  expect(await keys()).toHaveLength(20);
});

test('a dry run says what a load would delete or refuse, and deletes nothing', async () => {
  await fill();
  const start = await serial();
  expect((await replace(persons(1, 18), { dryRun: true })).summary).toMatchObject({ deleted: 2n });
  const { refused } = await replace(`${persons(1, 10)}\n${persons(101, 200)}`, { dryRun: true });
  expect(refused).toMatchObject({ deletes: 10n, sourceObjects: 20n, loaded: { created: 100n } });
  expect([await serial(), (await keys()).length]).toEqual([start, 20]);
});

test.each([
  ['nothing', ''],
  ['valid and invalid objects', `${persons(1, 3)}\n\nnonsense\n`],
])('an empty source may be replaced by %s', async (_, text) => {
  await replace('', { allowedDeletes: allDeletes });
  expect((await replace(text)).refused).toBeUndefined();
});
