import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createMetrics, createRpcServer } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, test, vi } from 'vitest';
import { publicText } from '../src/publish/public-export.js';
import { mntner, route, type Trial, useTrials } from './publishing.fixture.js';

// Publishers in processes of their own, each of which kills itself (SIGKILL) at one step of publishing (M7). Needs a build.
const program = fileURLToPath(new URL('mortal-publisher.mjs', import.meta.url));

// Some thirty processes start one after the other.
vi.setConfig({ testTimeout: 400_000 });

const hourMs = 60 * 60_000;
const newTrial = useTrials();

/** Publishes until it is killed. */
interface Publisher {
  /** Publishes everything; returns the steps, or the signal or error that killed it. */
  publish(now: Date, death?: string): Promise<readonly string[] | string>;
}

/** Starts publishers of a trial; prepares one more than requested. */
async function startPublishers(
  { registry, source, folder, databaseUrl, keys }: Trial,
  atEnd: (end: () => Promise<void>) => void,
): Promise<() => Promise<Publisher>> {
  const parts = { logger: testLogger(), metrics: createMetrics('objects') };
  const address = `unix:${path.join(folder, 'objects.sock')}`;
  const server = createRpcServer({
    name: 'objects',
    address,
    implementations: [...registry.implementations],
    ...parts,
  });
  await server.start();
  atEnd(() => server.stop(0));
  const { privateKey } = keys();
  const settings = JSON.stringify({ databaseUrl, address, folder, source, privateKey });
  function start() {
    const child = fork(program, [settings], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const complaints = text(child.stderr!);
    const died = once(child, 'exit').then(async ([, signal]) => (signal as string | null) ?? (await complaints));
    atEnd(async () => {
      child.kill('SIGKILL');
      await died;
    });
    const ready = Promise.race([once(child, 'message'), died]);
    const publisher: Publisher = {
      async publish(now, death) {
        const reported = once(child, 'message').then(([steps]) => steps as readonly string[]);
        child.send({ now: now.toISOString(), death });
        return Promise.race([reported, died]);
      },
    };
    return ready.then(() => publisher);
  }
  let next = start();
  return () => {
    const ready = next;
    next = start();
    return ready;
  };
}

interface Moment {
  readonly name: string;
  begin(trial: Trial): void;
  /** All steps of an undisturbed publisher. */
  readonly steps: readonly string[];
  /** Where publishers die, one after the other: each continues where the one before it died. */
  readonly deaths: readonly string[];
  /** The number of sessions so far; default 1. */
  readonly sessions?: number;
}

const notification = ['write notification', 'rename notification', 'commit record-notification'];

const life: readonly Moment[] = [
  {
    name: 'a first session',
    begin: ({ registry }) => registry.put(mntner(registry.source)),
    steps: ['write file', 'rename snapshot', 'commit insert-publication-file', ...notification],
    deaths: [
      'during write file',
      'after rename snapshot',
      'before commit insert-publication-file',
      'after commit insert-publication-file',
      'before rename notification',
      'after rename notification',
    ],
  },
  {
    name: 'a delta',
    begin: ({ registry }) => registry.put(`${route(registry.source, 1)}\n\n${route(registry.source, 2)}`),
    steps: ['write file', 'rename delta', 'commit insert-publication-file', ...notification],
    deaths: [
      'during write file',
      'before rename delta',
      'after rename delta',
      'before commit insert-publication-file',
      'after commit insert-publication-file',
      'during write notification',
      'before rename notification',
      'after rename notification',
      'before commit record-notification',
      'after commit record-notification',
    ],
  },
  {
    name: 'a snapshot, a day later',
    begin({ registry, clock }) {
      registry.remove('route', '198.51.1.0/24AS64500');
      clock.advance(25 * hourMs);
    },
    steps: [
      ...['write file', 'rename delta', 'commit insert-publication-file', ...notification],
      ...['write file', 'rename snapshot', 'commit insert-publication-file', 'commit drop-deltas', ...notification],
    ],
    deaths: [
      'before remove unfinished',
      'after remove delta',
      'before rename snapshot',
      'after rename snapshot',
      'before commit drop-deltas',
      'after commit drop-deltas',
      'after rename notification',
    ],
  },
  {
    name: 'a new session, because the registry was restored',
    begin({ registry }) {
      registry.rewind(2);
      registry.put(route(registry.source, 3));
    },
    steps: ['write file', 'rename snapshot', 'commit insert-publication-file', ...notification],
    deaths: ['after rename snapshot', 'after commit insert-publication-file', 'after rename notification'],
    sessions: 2,
  },
  {
    name: 'the removal of what is old',
    sessions: 2,
    begin: ({ clock }) => clock.advance(2 * hourMs),
    steps: [...notification, 'remove snapshot', 'remove delta', 'remove delta', 'remove snapshot'],
    deaths: ['after remove snapshot', 'after remove delta', 'before forget files'],
  },
];

async function look({ registry, store, follower }: Trial): Promise<readonly string[]> {
  const isPublished = await store.get(`nrtmv4/${registry.source}/update-notification-file.jose`, 1 << 20);
  return isPublished ? [(await follower.update()).notification.sessionId] : [];
}

test.concurrent('a publisher has these steps', async ({ onTestFinished }) => {
  const trial = await newTrial();
  const publisher = await (await startPublishers(trial, onTestFinished))();
  for (const moment of life) {
    moment.begin(trial);
    expect([moment.name, await publisher.publish(trial.clock.now())]).toEqual([moment.name, moment.steps]);
  }
});

test.concurrent('publishers that are killed at each step leave nothing that a follower may not see (M7)', async ({
  onTestFinished,
}) => {
  const trial = await newTrial();
  const { source } = trial;
  const nextPublisher = await startPublishers(trial, onTestFinished);
  const sessions: string[] = [];
  let publisher = await nextPublisher();
  for (const { name, begin, deaths, sessions: max = 1 } of life) {
    begin(trial);
    for (const death of deaths) {
      expect([name, death, await publisher.publish(trial.clock.now(), death)]).toEqual([name, death, 'SIGKILL']);
      sessions.push(...(await look(trial)));
      expect(new Set(sessions).size, `sessions after ${name}, ${death}`).toBeLessThanOrEqual(max);
      publisher = await nextPublisher();
    }
    await publisher.publish(trial.clock.now());
    sessions.push(...(await look(trial)));
    const wanted = trial.registry.current().flatMap((text) => publicText(text, source) ?? []);
    expect(trial.follower.objects()).toEqual(wanted.sort());
    expect(new Set(sessions).size).toBe(max);
  }
  const { notification: last } = await trial.follower.update();
  const named = [last.snapshot, ...last.deltas].map(({ url }) => url);
  const stored = await readdir(path.join(trial.folder, 'nrtmv4', source.name));
  expect(stored.sort()).toEqual([...named, 'update-notification-file.jose'].sort());
});
