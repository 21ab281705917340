import { expect, test } from 'vitest';
import type { FileStore } from '../src/files/file-store.js';
import type { Lease } from '../src/leases.js';
import { publicText } from '../src/publish/public-text.js';
import { mntner, route, type Trial, useTrials } from './publishing.fixture.js';

const hourMs = 60 * 60_000;
const newTrial = useTrials();

/** The process is gone. */
class Killed extends Error {}

/** When a process dies: before its n-th step has any effect, or when the step has had its effect. */
interface Death {
  readonly step: number;
  readonly when: 'before' | 'after';
}

/** Counts the steps by which a publisher touches what stays, and dies at one of them; then nothing has an effect. */
function mortal({ store, lease }: Trial, death: Death | undefined) {
  const steps: string[] = [];
  let isDead = false;
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (isDead) throw new Killed();
    const isLast = death?.step === steps.length;
    steps.push(name);
    if (isLast) isDead = true;
    if (isLast && death.when === 'before') throw new Killed();
    const result = await work();
    if (isLast) throw new Killed();
    return result;
  }
  const mortalStore: FileStore = {
    ...store,
    put: (name, content, options) => step(`put ${kindOf(name)}`, () => store.put(name, content, options)),
    remove: (name) => step(`remove ${kindOf(name)}`, () => store.remove(name)),
    get: (name, most) => step('get', () => store.get(name, most)),
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

/** Lives through it with a death, after which other processes go on; the follower looks after each moment. */
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
    const wanted = trial.registry.current().flatMap((text) => publicText(text, trial.registry.source) ?? []);
    expect(trial.follower.objects()).toEqual(wanted.sort());
  }
  return { steps, sessions };
}

const { steps } = { steps: 60 };
const deaths = Array.from({ length: steps }, (_, step) =>
  (['before', 'after'] as const).map((when) => ({ step, when })),
).flat();

test('a life has all steps, and fewer than are tried', async () => {
  const lived = await liveThrough(await newTrial(), undefined);
  expect(lived.sessions.size).toBe(2);
  expect(lived.steps.length).toBeLessThan(steps);
  expect(new Set(lived.steps)).toEqual(
    new Set(['get', 'transaction', 'put snapshot', 'put delta', 'put notification', 'remove snapshot', 'remove delta']),
  );
});

test.for(deaths)(
  'a publisher that dies $when step $step goes on: no version ever has two hashes (M7)',
  async (death) => {
    const { sessions } = await liveThrough(await newTrial(), death);
    expect(sessions.size).toBe(2);
  },
);
