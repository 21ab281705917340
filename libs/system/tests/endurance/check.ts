import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { wholeSource } from '../../../../services/mirror/src/public-source.js';
import { publicText } from '../../../../services/mirror/src/publish/public-export.js';
import { eventually } from '../harness/eventually.js';
import type { ChangeReader } from './load.js';
import type { Receivers } from './receivers.js';
import { copies, type Registries } from './registries.js';
import { type Acknowledged, maintainer, type Writers } from './writers.js';

type Query = (text: string) => Promise<pg.QueryResult>;

/** A check at the end: what was compared, and what is missing or too much. */
export interface Checked {
  readonly what: string;
  readonly compared: number;
  readonly wrong: readonly string[];
}

const timeoutMs = 300_000;
/** Of the person or role that dumps have instead of all others. */
const isPlaceholder = /^nic-hdl: +DUMY-TEST$/m;

/**
 * Compares the database with what was acknowledged: every state is in the history, in its order, with its revision, and
 * each write is one change.
 */
export async function checkHistory(query: Query, acknowledged: readonly Acknowledged[]): Promise<Checked[]> {
  const before = "lower(key) ~ '^(as-end[ab][0-9]+|e[ab][0-9]+-test)$'";
  const number = "substring(text from 'remarks: +change ([0-9]+)')::integer as number";
  const { rows: states } = await query(
    `select key, serial, ${number}, null as deleted from objects.version where ${before}
     union all select key, serial, ${number}, deleted from objects.object where ${before} order by key, serial`,
  );
  const { rows: changes } = await query(
    `select key, count(*)::integer as number from objects.change where ${before} group by key`,
  );
  const { rows: gaps } = await query(
    'select source_id from objects.change group by source_id having count(*) <> max(serial) - min(serial) + 1',
  );
  const byKey = Map.groupBy(acknowledged, ({ key }) => key.toLowerCase());
  const stored = Map.groupBy(states, ({ key }) => (key as string).toLowerCase());
  const changesOf = new Map(changes.map((row) => [(row.key as string).toLowerCase(), row.number as number]));
  const [lost, twice, deletions]: [string[], string[], string[]] = [[], [], []];
  for (const [key, writes] of byKey) {
    const wanted = writes.filter(({ action }) => action !== 'delete').map(({ number }) => number);
    const found = [...new Set((stored.get(key) ?? []).map(({ number }) => number as number))];
    const missing = wanted.filter((number) => !found.includes(number));
    if (missing.length > 0) lost.push(`${key}: the states ${missing.join(', ')} are missing`);
    else if (found.slice(0, wanted.length).join() !== wanted.join()) lost.push(`${key}: the states have another order`);
    const number = changesOf.get(key) ?? 0;
    if (number < writes.length) lost.push(`${key}: ${number} changes, ${writes.length} acknowledged writes`);
    if (number > writes.length) twice.push(`${key}: ${number} changes, ${writes.length} acknowledged writes`);
    const isDeleted = stored.get(key)?.find(({ deleted }) => deleted !== null)?.deleted === true;
    if (number === writes.length && isDeleted !== (writes.at(-1)!.action === 'delete')) {
      deletions.push(`${key}: ${isDeleted ? 'is deleted' : 'is there'}, and should not be`);
    }
  }
  return [
    {
      what: 'acknowledged writes in the history, with their content and in their order',
      compared: acknowledged.length,
      wrong: lost,
    },
    { what: 'keys without a change that no acknowledged write made', compared: byKey.size, wrong: twice },
    { what: 'keys that are there, or deleted, as the last write left them', compared: byKey.size, wrong: deletions },
    {
      what: 'sources whose serials have no gap',
      compared: 1,
      wrong: gaps.map((row) => `source ${row.source_id} has a gap in its serials`),
    },
  ];
}

/** Compares everything that readers and followers have with what was acknowledged, once all have caught up. */
export async function checkAll(
  registries: Registries,
  writers: Writers,
  receivers: Receivers,
  changes: ChangeReader,
): Promise<Checked[]> {
  const { main, postgres, mirrorOf, follower } = registries;
  const { acknowledged } = writers;
  const history = await checkHistory(postgres.query, acknowledged);
  const newest = Number((await postgres.query("select serial from objects.source where name = 'TEST'")).rows[0].serial);
  const last = new Map(acknowledged.map((one) => [one.key, one]));
  const present = [...last.values()].filter(({ action }) => action !== 'delete');
  const texts = await eventually(() => main.textsOf('TEST'), timeoutMs);
  const missing = present.filter(
    ({ key, number }) => !texts.some((text) => text.includes(`change ${number}\n`) && text.includes(key)),
  );

  const wanted = texts.flatMap((text) => publicText(`${text.trimEnd()}\n`, wholeSource('TEST')) ?? []);
  const withoutSource = (text: string) => `${text.trimEnd()}\n`.replace(/^(source:\s+)\S+/m, '$1X');
  const expected = wanted.map(withoutSource).sort();
  /** The differences of a copy, which should be at a version or serial of the registry. */
  const differences = async (copy: string, wantedVersion: bigint | undefined): Promise<string[]> => {
    const { mirrors } = await mirrorOf.follower.listMirrors({});
    const { version } = mirrors.find(({ source }) => source === copy)!;
    const copied = (await follower.textsOf(copy)).filter((text) => !isPlaceholder.test(text)).map(withoutSource);
    const extra = copied.filter((text) => !expected.includes(text)).map((text) => `only in the copy: ${text}`);
    const absent = expected.filter((text) => !copied.includes(text)).map((text) => `not in the copy: ${text}`);
    const behind = version === wantedVersion ? [] : [`the copy has version ${version}`];
    return [...behind, ...extra, ...absent];
  };
  const byNrtm4 = await caughtUp(async () => {
    const [publication] = (await mirrorOf.main.listPublications({})).publications;
    return differences(copies.nrtm4, publication?.version);
  });
  const byNrtm3 = await caughtUp(() => differences(copies.nrtm3, BigInt(newest)));

  const events = await caughtUp(async () => {
    const serials = Array.from({ length: newest - receivers.firstSerial }, (_, n) => receivers.firstSerial + n + 1);
    return serials.filter((serial) => !receivers.events.has(serial)).map((serial) => `no event ${serial}`);
  });
  const streamed = await caughtUp(async () =>
    changes.last() === newest ? [] : [`ended at ${changes.last()} of ${newest}`],
  );
  const persons = acknowledged.filter(({ type }) => type === 'person');
  const published = await caughtUp(async () =>
    persons.filter(({ key }) => !receivers.mails.has(writers.addressOf(key))).map(({ key }) => `no mail about ${key}`),
  );
  const found = await caughtUp(async () => {
    const keys = await indexedPersons(registries);
    return persons.filter(({ key }) => !keys.has(key)).map(({ key }) => `the index misses ${key}`);
  });
  const mails = persons.reduce((sum, { key }) => sum + (receivers.mails.get(writers.addressOf(key)) ?? 0), 0);
  const allEvents = [...receivers.events.values()].reduce((sum, number) => sum + number, 0);
  return [
    ...history,
    {
      what: 'present objects in the export of the registry, with their last content',
      compared: present.length,
      wrong: missing.map(({ key, number }) => `${key} has not its content ${number}`),
    },
    { what: 'persons that searches find', compared: persons.length, wrong: found },
    {
      what: 'objects of the copy by NRTM 4, equal to those of the registry',
      compared: expected.length,
      wrong: byNrtm4,
    },
    {
      what: 'objects of the copy by NRTM 3, equal to those of the registry',
      compared: expected.length,
      wrong: byNrtm3,
    },
    { what: 'changes in the change stream, without a gap', compared: newest - (changes.first() ?? 0), wrong: streamed },
    {
      what: `changes that the webhook got at least once (${allEvents - receivers.events.size} again)`,
      compared: newest - receivers.firstSerial,
      wrong: events,
    },
    {
      what: `persons about which a mail was sent at least once (${Math.max(0, mails - persons.length)} again)`,
      compared: persons.length,
      wrong: published,
    },
  ];
}

/** Waits until nothing is wrong; returns what is still wrong after the timeout. */
async function caughtUp(look: () => Promise<string[]>): Promise<string[]> {
  let wrong: string[] = [];
  await eventually(async () => {
    wrong = await look();
    if (wrong.length === 0) return;
    await delay(2_000);
    throw new Error('not yet');
  }, timeoutMs).catch((error: Error) => wrong.length > 0 || wrong.push(String(error)));
  return wrong;
}

/** Handles of all persons in the index that the maintainer of the writers has, by pages. */
async function indexedPersons({ balancer }: Registries): Promise<Set<string>> {
  const client = balancer.createClient();
  const found = new Set<string>();
  const query = `query-string=${maintainer}&inverse-attribute=mnt-by&type-filter=person&flags=r&limit=1000`;
  try {
    for (let path: string | undefined = `/search.txt?${query}`; path !== undefined; ) {
      const { status, text, headers } = await client.send(path, undefined, { headers: { accept: 'text/plain' } });
      if (status !== 200) throw new Error(`the search has status ${status}`);
      for (const [, key] of text.matchAll(/^nic-hdl: +(\S+)/gm)) found.add(key!);
      path = String(headers.link ?? '').match(/^<https:\/\/[^/]+(.*)>; rel="next"/)?.[1];
    }
  } finally {
    client.close();
  }
  return found;
}
