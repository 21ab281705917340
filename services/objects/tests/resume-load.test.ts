import type { LoadedKeys, LoadPosition, LoadProgress, LoadResponse, LoadSettings } from '@cadastre/proto/objects';
import { createMetrics } from '@cadastre/service';
import { beforeAll, expect, test } from 'vitest';
import { reportUnfinishedReplaces } from '../src/report-use.js';
import { allDeletes, loaderOf, loadText, lookup, person, readerOf, requests, useContext } from './test-context.js';

// A broken load resumes where it was (LoadSettings.resume), and what readers see of it meanwhile.
const setup = useContext();

/** Long lines make several parts of few objects; a service stores a part when it has read the next ones. */
const remarks = `remarks:        ${'0123456789abcdef'.repeat(250)}\n`.repeat(60);
const large = (handle: string, name: string) => person(handle, name).replace(/^source:/m, `${remarks}source:`);
const persons = (stem: string, count: number, name = 'Old Name') =>
  Array.from({ length: count }, (_, index) => large(`${stem}${index + 1}-TEST`, name));
const several = 60;
const replacing = { replace: true, allowedDeletes: allDeletes };

/** The state that a client has of a load. */
interface Stored {
  readonly position: LoadPosition;
  readonly keys: readonly LoadedKeys[];
  readonly progress: readonly LoadProgress[];
}

async function* messagesOf(text: string, settings: Partial<LoadSettings>, stored?: Stored, after?: Promise<void>) {
  const lines = text.split('\n').slice(Number(stored?.position.line ?? 1n) - 1);
  async function* pieces() {
    yield Buffer.from(lines.join('\n'));
    await after;
    if (after !== undefined) throw new Error('the connection was lost');
  }
  const all = requests(pieces(), { ...settings, resumable: true, resume: stored?.position });
  yield (await all.next()).value!;
  for (const value of stored?.keys ?? []) yield { part: { $case: 'keys' as const, value } };
  yield* all;
}

/** Loads a text, and breaks after a part of it is stored and `until` is true of the progress. */
async function breakWhen(text: string, settings: Partial<LoadSettings>, until = (_: LoadProgress) => true) {
  const reached = Promise.withResolvers<void>();
  const keys: LoadedKeys[] = [];
  const progress: LoadProgress[] = [];
  const take = async () => {
    for await (const { news } of loaderOf(setup.context).load(messagesOf(text, settings, undefined, reached.promise))) {
      if (news?.$case !== 'progress') continue;
      progress.push(news.value);
      keys.push(news.value.keys!);
      if (until(news.value)) reached.resolve();
    }
  };
  await expect(take()).rejects.toThrow();
  return { position: progress.at(-1)!.position!, keys, progress };
}

/** Sends the rest of a broken load. */
async function resume(text: string, stored: Stored, settings: Partial<LoadSettings> = {}) {
  const all: LoadResponse['news'][] = [];
  for await (const { news } of loaderOf(setup.context).load(messagesOf(text, settings, stored))) all.push(news);
  return {
    begun: all.flatMap((one) => (one?.$case === 'begun' ? [one.value] : []))[0],
    rejected: all.flatMap((one) => (one?.$case === 'rejected' ? [one.value] : [])),
    summary: all.flatMap((one) => (one?.$case === 'summary' ? [one.value] : []))[0],
  };
}

const source = async () => (await readerOf(setup.context).listSources({})).sources[0]!;
const fill = (objects: readonly string[]) => loadText(setup.context, objects.join('\n'), replacing);
const nameOf = async (handle: string) =>
  /^person: +(.*)$/m.exec((await lookup(setup.context, 'person', handle))?.text ?? '')?.[1];

async function keysOf(stem: string): Promise<number> {
  const { rows } = await setup.context.readPool.query(
    'select from object where not deleted and source_id = $1 and key like $2',
    [setup.context.sources.main.id, `${stem.toLowerCase()}%`],
  );
  return rows.length;
}

// A small registry is filled by a separate table, all at the end.
beforeAll(async () => {
  await setup.context.writePool.query(
    `insert into object (source_id, type, revision, serial, announced, modified, key, text, refs)
     select $1, 11, 1, n, n, now(), 'many' || n, '', '{}' from generate_series(1, 20001) as n`,
    [setup.context.sources.byName('EXAMPLE-GRS')!.id],
  );
});

test('a resumed load counts, rejects and names lines as if it had never broken', async () => {
  await fill(persons('RA', 3));
  const objects = persons('RA', several);
  const again = person('RA1-TEST', 'The same key again');
  const text = [...objects, again, 'nonsense\n', person('RA5-TEST')].join('\n');
  const stored = await breakWhen(text, {});
  expect(stored.position.created).toBeGreaterThan(0n);
  expect(stored.position).toMatchObject({ unchanged: 3n, modified: 0n, rejected: 0n });
  const { begun, rejected, summary } = await resume(text, stored);
  expect(begun!.position).toEqual(stored.position);
  const lineOf = (part: string) => text.slice(0, text.lastIndexOf(part)).split('\n').length;
  expect(rejected.map(({ line, reasons }) => [Number(line), reasons[0]])).toEqual([
    [lineOf(again), 'The dump has this key already'],
    [lineOf('nonsense'), expect.any(String)],
    [lineOf(person('RA5-TEST')), 'The dump has this key already'],
  ]);
  const counts = { created: BigInt(several - 3), unchanged: 3n, modified: 0n, rejected: 3n };
  expect(summary).toMatchObject({ ...counts, danglingMaintainers: 1n, danglingExamples: ['ONE-MNT'] });
});

test('a resumed replace deletes only what neither part of its text names; readers see nothing of it before', async () => {
  await fill([...persons('RB', several), ...persons('RX', 3)]);
  const before = await source();
  const text = persons('RB', several, 'New Name').join('\n');
  const stored = await breakWhen(text, replacing);
  expect(stored.progress.every(({ storedAtEnd }) => storedAtEnd)).toBe(true);
  expect([await nameOf('RB1-TEST'), await source()]).toEqual(['Old Name', before]);
  const { summary } = await resume(text, stored, replacing);
  expect(summary).toMatchObject({ created: 0n, modified: BigInt(several), unchanged: 0n, deleted: 3n });
  expect([await nameOf('RB1-TEST'), await keysOf('RB'), await keysOf('RX')]).toEqual(['New Name', several, 0]);
  expect((await source()).serial).toBe(before.serial + BigInt(several + 3));
  expect((await setup.context.readPool.query('select from staged')).rows).toEqual([]);
});

test('the end of a load may be repeated, and changes nothing then', async () => {
  await fill(persons('RC', several));
  const text = persons('RC', several, 'New Name').join('\n');
  const stored = await breakWhen(text, replacing);
  await resume(text, stored, replacing);
  const { serial } = await source();
  expect((await resume(text, stored, replacing)).summary).toMatchObject({ deleted: 0n, serial });
});

test('a replace cannot be resumed after another one began, which has forgotten its changes', async () => {
  await fill(persons('RD', several));
  const text = persons('RD', several, 'New Name').join('\n');
  const stored = await breakWhen(text, replacing);
  await fill(persons('RD', 3));
  await expect(resume(text, stored, replacing)).rejects.toMatchObject({ kind: 'conflict' });
  expect([await nameOf('RD1-TEST'), await keysOf('RD')]).toEqual(['Old Name', 3]);
});

test('a replace that is too large for one transaction tells so until it, or the next one, has ended', async () => {
  await fill(persons('RE', 3));
  const text = persons('RE', 200, 'New Name').join('\n');
  const begun = setup.clock.now();
  const stored = await breakWhen(text, replacing, ({ storedAtEnd }) => !storedAtEnd);
  expect([await nameOf('RE1-TEST'), (await source()).replacingSince]).toEqual(['New Name', begun]);
  await loadText(setup.context, person('RF1-TEST'));
  expect((await source()).replacingSince).toEqual(begun);
  const metrics = createMetrics('objects');
  reportUnfinishedReplaces(metrics, setup.context);
  const sample = new RegExp(`\\{source="TEST"[^}]*\\} ${+begun / 1000}$`, 'm');
  await expect.poll(() => metrics.getSingleMetricAsString('cadastre_replacing_since_seconds')).toMatch(sample);
  const { begun: resumed } = await resume(text, stored, replacing);
  expect([resumed!.replacingSince, (await source()).replacingSince]).toEqual([begun, undefined]);
  await breakWhen(persons('RG', 200).join('\n'), replacing, ({ storedAtEnd }) => !storedAtEnd);
  expect((await source()).replacingSince).toBeDefined();
  await fill(persons('RE', 3));
  expect([(await source()).replacingSince, await keysOf('RG')]).toEqual([undefined, 0]);
});

test('a load that resumes while its broken call still runs is told to try again', async () => {
  const text = persons('RH', several).join('\n');
  const stored = await breakWhen(text, {});
  const release = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const running = breakOn(release.promise, begun.resolve);
  await begun.promise;
  await expect(resume(text, stored)).rejects.toMatchObject({ kind: 'unavailable' });
  release.resolve();
  await running;
});

async function breakOn(released: Promise<void>, begun: () => void): Promise<void> {
  await expect(
    (async () => {
      for await (const _ of loaderOf(setup.context).load(messagesOf('', {}, undefined, released))) begun();
    })(),
  ).rejects.toThrow();
}

test.each([[''], ['what ever']])('refuses a position of a load named "%s"', async (load) => {
  const text = persons('RI', several).join('\n');
  const stored = await breakWhen(text, {});
  const wrong = { ...stored, position: { ...stored.position, load } };
  await expect(resume(text, wrong)).rejects.toMatchObject({ kind: 'invalid' });
});
