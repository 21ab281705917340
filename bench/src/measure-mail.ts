import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Contest, type ContestResult, runContests } from './contests.ts';
import type { LoadThread } from './load-thread.ts';
import { httpSide, type Side, serverOf } from './sides.ts';
import type { Surroundings } from './surroundings.ts';
import { startTestedSystem, type TestedSystem } from './tested-system.ts';
import { notifyingScenario } from './write-scenarios.ts';

const writesPerSecond = 150;
const clients = 16;
/** For some 1,500 writes, so that a p99 is not that of a single write. */
const secondsEach = 10;
/** More than any run names. */
const lastAddress = 200_000;
const program = fileURLToPath(new URL('mail-sink.ts', import.meta.url));

/** Writes whose objects name an address in `notify`, with and without notifications by mail. */
export type MailResult = ContestResult<'on' | 'off'>;

/** Starts a system that sends mails and one that does not; both get the same writes at the same rate. */
export async function measureMail(
  { settings: { rounds }, directory, say, onEnd }: Surroundings,
  thread: LoadThread,
): Promise<MailResult> {
  const sink = fork(program);
  onEnd(async () => void sink.kill());
  const [port] = (await once(sink, 'message')) as [number];
  const start = (name: 'on' | 'off', settings: Readonly<Record<string, string>>) =>
    startTestedSystem({ directory: join(directory, `mail-${name}`), settings, say, onEnd });
  const on = await start('on', { CADASTRE_MAIL_URL: `smtp://127.0.0.1:${port}` });
  await confirmAddresses(on);
  const off = await start('off', { CADASTRE_OBJECTS_NOTIFICATIONS: 'false' });
  const contest = mailContest({ on: await writesTo(thread, on), off: await writesTo(thread, off) });
  const [result] = await runContests([contest], { what: 'Mail', rounds, seconds: secondsEach, say });
  await Promise.all([on.stop(), off.stop()]);
  sink.disconnect();
  return result!;
}

export function mailContest(sides: Contest<'on' | 'off'>['sides']): Contest<'on' | 'off'> {
  return { name: 'create person with notify', sides, perSecond: writesPerSecond };
}

/** Confirms the addresses of all later writes: otherwise each address would only get a request for confirmation. */
async function confirmAddresses({ databaseUrl }: TestedSystem): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into objects.mail_address (folded, confirmed, changed)
     select 'bench-' || n || '@example.net', now(), now() from generate_series(0, $1::integer) n`,
    [lastAddress],
  );
  await client.end();
}

async function writesTo(thread: LoadThread, system: TestedSystem): Promise<Side> {
  const scenario = notifyingScenario(system.credential);
  return httpSide(thread, await serverOf(system), scenario, { connections: clients, https: true });
}
