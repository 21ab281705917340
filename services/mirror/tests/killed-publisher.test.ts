import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FileStore } from '../src/files/file-store.js';
import type { Lease } from '../src/leases.js';
import { publicText } from '../src/publish/public-export.js';
import { readPublication } from '../src/publish/state.js';
import { mntner, route, type Trial, useTrials } from './publishing.fixture.js';

const hourMs = 60 * 60_000;
const newTrial = useTrials();

/** The process has died. */
class Killed extends Error {}

/** Where a process dies: before its n-th step, or during it, when it stores a file. */
interface Death {
  readonly step: number;
  readonly when: 'before' | 'during';
}

/**
 * Counts the steps by which a publisher changes permanent state, and dies at one of them; then nothing has an effect.
 */
function mortal({ store, lease }: Trial, death: Death | undefined) {
  const steps: string[] = [];
  let isDead = false;
  async function step<T>(name: string, work: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    if (!isDead && death?.step === steps.length) {
      isDead = true;
      if (death.when === 'during') await half?.();
    }
    if (isDead) throw new Killed();
    steps.push(name);
    return work();
  }
  const mortalStore: FileStore = {
    ...store,
    put(name, content, options) {
      const half = () => store.put(`${path.dirname(name)}/.unfinished-1`, Buffer.from('half'), options);
      return step(`put ${kindOf(name)}`, () => store.put(name, content, options), half);
    },
    remove: (name) => step(`remove ${kindOf(name)}`, () => store.remove(name)),
  };
  const mortalLease: Lease = { ...lease, transaction: (fn) => step('transaction', () => lease.transaction(fn)) };
  return { store: mortalStore, lease: mortalLease, steps };
}

function kindOf(name: string): string {
  return /(snapshot|delta|notification|unfinished)/.exec(name)![1]!;
}

/** A life of a publication, in which every step of publishing happens. */
const life: readonly ((trial: Trial) => void)[] = [
  ({ registry }) => registry.put(mntner(registry.source)),
  ({ registry }) => registry.put(route(registry.source, 1)),
  ({ registry }) => registry.put(route(registry.source, 2)),
  ({ registry, clock }) => {
    registry.remove('route', '198.51.1.0/24AS64500');
    clock.advance(25 * hourMs);
  },
  ({ registry, clock }) => {
    registry.put(route(registry.source, 3));
    clock.advance(2 * hourMs);
  },
  ({ registry }) => {
    registry.rewind(2);
    registry.put(route(registry.source, 4));
  },
  ({ clock }) => clock.advance(2 * hourMs),
];

/** Lives through it with a death, after which other processes continue; the follower checks after each moment. */
async function liveThrough(trial: Trial, death: Death | undefined) {
  const { store, lease, steps } = mortal(trial, death);
  const sessions = new Set<string>();
  let publisher = trial.publisher({ store });
  let ours = lease;
  const attempt = async () => {
    await publisher.round(ours);
    if (await publisher.snapshot(ours)) await publisher.round(ours);
  };
  const look = async () => {
    const isPublished = await trial.store.get(`nrtmv4/${trial.registry.source}/update-notification-file.jose`, 1 << 20);
    if (isPublished) sessions.add((await trial.follower.update()).notification.sessionId);
    const begun = await readPublication(trial.pool, trial.registry.source);
    if (begun) sessions.add(begun.sessionId);
  };
  for (const moment of life) {
    moment(trial);
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await look();
      publisher = trial.publisher();
      ours = trial.lease;
      await attempt();
    }
    await look();
    const wanted = trial.registry.current().flatMap((text) => publicText(text, trial.source) ?? []);
    expect(trial.follower.objects()).toEqual(wanted.sort());
  }
  return { steps, sessions };
}

/** Every place where a process can die in this life: before each of these steps, and while it stores a file. */
const notification = ['put notification', 'transaction'];
const delta = ['put delta', 'transaction', ...notification];
const snapshot = ['put snapshot', 'transaction', ...notification];
const steps: readonly string[] = [
  ...snapshot,
  ...delta,
  ...delta,
  ...delta,
  ...['put snapshot', 'transaction', 'transaction', ...notification],
  ...delta,
  ...['remove snapshot', 'remove delta', 'remove delta'],
  ...snapshot,
  ...notification,
  ...['remove delta', 'remove snapshot', 'remove delta'],
];

const deaths = steps.flatMap((name, step) => [
  { name, step, when: 'before' as const },
  ...(name.startsWith('put ') ? [{ name, step, when: 'during' as const }] : []),
]);

test('a life has these steps', async () => {
  const lived = await liveThrough(await newTrial(), undefined);
  expect(lived.sessions.size).toBe(2);
  expect(lived.steps).toEqual(steps);
});

test.concurrent.for(deaths)('a publisher that dies $when step $step ($name) goes on (M7)', async (death) => {
  const trial = await newTrial();
  const { sessions } = await liveThrough(trial, death);
  expect(sessions.size).toBe(2);
  // After a while, its remains are removed.
  trial.clock.advance(2 * hourMs);
  await trial.publisher().round(trial.lease);
  const { notification } = await trial.follower.update();
  const named = [notification.snapshot, ...notification.deltas].map(({ url }) => url);
  const files = await readdir(path.join(trial.folder, 'nrtmv4', trial.registry.source));
  expect(files.sort()).toEqual([...named, 'update-notification-file.jose'].sort());
});
