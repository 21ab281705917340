import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { descendants } from './harness/processes.js';
import { type Answer, type RequestOptions, type Rest, restClient } from './harness/rest.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { sendMany } from './harness/send-many.js';
import { jsonBody } from './harness/whois.js';

// A hundred thousand requests take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };

/** Shorter than the defaults of the gateway, to keep the test short; every response must come within them. */
const deadlineSeconds = { read: 4, write: 5, search: 5 };
/** Allowance for work after the deadline, and for a busy machine. */
const allowanceMs = 30_000;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, {
    CADASTRE_GATEWAY_DEADLINES: `read=${deadlineSeconds.read}s write=${deadlineSeconds.write}s search=${deadlineSeconds.search}s`,
    CADASTRE_LIMITS: '127.0.0.0/8 exempt, ::1/128 exempt',
  });
  rest = restClient(system, { repeats: false });
});
afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const program = {
  objects: 'services/objects/dist/main.js',
  auth: 'services/auth/dist/main.js',
  search: 'services/search/dist/main.js',
  PostgreSQL: '/bin/postgres ',
};
type Backend = keyof typeof program;

/** The processes of a backend: PostgreSQL has one for each connection. */
function pidsOf(backend: Backend): number[] {
  const all = descendants(system.pid);
  const main = all.find(({ command }) => command.includes(program[backend]) && !command.includes('setpriv'));
  if (!main) throw new Error(`${backend} does not run`);
  return [main.pid, ...descendants(main.pid).map(({ pid }) => pid)];
}

/** Sends a signal to all its processes; some may end meanwhile. */
function signal(backend: Backend, name: NodeJS.Signals): void {
  for (const pid of pidsOf(backend)) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

let next = 0;
const json = { accept: 'application/json' };

/** One request of each kind that needs other backends than the others. */
const requests = {
  lookup: () => rest(`/TEST/person/NB${++next}-TEST`, json),
  'lookup with credentials': () => rest('/TEST/mntner/EXAMPLE-MNT', { ...json, credential: system.credential }),
  search: () => rest('/search?query-string=EXAMPLE-MNT', json),
  geolocation: () => rest('/geolocation?ipkey=192.0.2.1', json),
  'abuse contact': () => rest('/abuse-contact/192.0.2.1', json),
  write: () => write(),
  template: () => rest('/metadata/templates/person', json),
} satisfies Record<string, () => Promise<Answer>>;
type Request = keyof typeof requests;
const names = Object.keys(requests) as Request[];

function write(): Promise<Answer> {
  const options: RequestOptions = { ...json, contentType: 'application/json', credential: system.credential };
  return rest('/TEST/person', {
    ...options,
    method: 'POST',
    body: jsonBody(personText('Backend Tester', `NF${++next}-TEST`)),
  });
}

/** Statuses without an outage: the person of the lookup does not exist, and the address has no location. */
const healthy: Record<Request, number[]> = {
  lookup: [404],
  'lookup with credentials': [200],
  search: [200],
  geolocation: [200, 404],
  'abuse contact': [200, 404],
  write: [200],
  template: [200],
};

/** The requests that need each backend; the others must work. */
const needs: Record<Backend, readonly Request[]> = {
  objects: ['lookup', 'lookup with credentials', 'write'],
  auth: ['lookup with credentials', 'write'],
  search: ['search', 'geolocation', 'abuse contact'],
  PostgreSQL: ['lookup', 'lookup with credentials', 'write'],
};

/** The requests that need a backend only when the gateway has lost the change feed, or the index is behind it. */
const mayNeed: { readonly [backend in Backend]?: readonly Request[] } = {
  objects: ['geolocation', 'abuse contact'],
  PostgreSQL: ['geolocation', 'abuse contact'],
};

/** The result of a request without a response. */
function hanging(): Promise<{ status: number; text: string }> {
  return sleep(60_000, { status: 0, text: 'no answer' }, { ref: false });
}

/** How often a request is sent that must work: on a busy machine the database may not answer in time. */
const maxTries = 3;

/** The status of a request that was refused, sent again until it is as without an outage. */
async function statusAgain(name: Request, refused: number): Promise<number> {
  let status = refused;
  for (let tries = 1; status === 503 && tries < maxTries; tries++) status = (await requests[name]()).status;
  return status;
}

async function statuses(): Promise<Record<Request, { status: number; ms: number; text: string }>> {
  const answers = await Promise.all(
    names.map(async (name) => {
      const started = performance.now();
      const { status, text } = await Promise.race([requests[name](), hanging()]);
      return [name, { status, text, ms: performance.now() - started }] as const;
    }),
  );
  return Object.fromEntries(answers) as Record<Request, { status: number; ms: number; text: string }>;
}

async function expectHealth(): Promise<void> {
  const found = await statuses();
  for (const name of names) expect(healthy[name], `${name}: ${found[name].text}`).toContain(found[name].status);
}

/** Requests that need the backend are refused in time and in the requested format; the others work. */
async function expectOutage(backend: Backend): Promise<void> {
  const found = await statuses();
  for (const name of names) {
    const { status, ms, text } = found[name];
    const said = `${name} without ${backend}: ${status} ${text}`;
    if (needs[backend].includes(name) || (mayNeed[backend]?.includes(name) && status === 503)) {
      expect(status, said).toBe(503);
      // Of these two, one returns errors as plain text, the other as its own document.
      if (name === 'abuse contact') JSON.parse(text);
      else if (name !== 'geolocation') expect(JSON.parse(text), said).toHaveProperty('errormessages');
      expect(text, said).not.toMatch(/ECONN|postgres|\.sock|at .*\.js/i);
    } else {
      expect(healthy[name], said).toContain(await statusAgain(name, status));
    }
    expect(ms, said).toBeLessThan(allowanceMs);
  }
}

beforeEach(() => eventually(expectHealth, 180_000));

const backends = Object.keys(program) as Backend[];

test.each(backends)('while %s hangs, requests that need it are refused in time, and it recovers', async (backend) => {
  signal(backend, 'SIGSTOP');
  try {
    // The gateway caches principals until it notices the silence (ADR 0027).
    if (backend === 'auth') await eventually(() => expectOutage(backend), 180_000);
    await expectOutage(backend);
    await expectOutage(backend);
  } finally {
    signal(backend, 'SIGCONT');
  }
  await eventually(expectHealth, 180_000);
});

test.each(backends)('while %s is down, no request hangs, and all recover afterwards', async (backend) => {
  const [gone] = pidsOf(backend);
  process.kill(gone!, backend === 'PostgreSQL' ? 'SIGQUIT' : 'SIGKILL');
  // It restarts immediately: meanwhile responses are refusals or correct.
  await eventually(async () => {
    const found = await statuses();
    for (const name of names) {
      expect([...healthy[name], 503], `${name}: ${found[name].status} ${found[name].text}`).toContain(
        found[name].status,
      );
      expect(found[name].ms, name).toBeLessThan(allowanceMs);
    }
    // Without auth nothing fails while the gateway caches the principals.
    const [here] = pidsOf(backend);
    if (here === undefined || here === gone) throw new Error('not restarted');
    if (!names.every((name) => healthy[name].includes(found[name].status))) throw new Error('not back');
  }, 180_000);
});

const lookups = inject('counts').leakLookups;

/** Memory in MiB and open files of each process of the system, by its command. */
function use(): Map<string, { memory: number; files: number }> {
  const services = descendants(system.pid).filter(({ command }) => command.includes('/dist/main.js'));
  return new Map(
    services.map(({ pid, command }) => {
      const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return [command, { memory: Number(resident) / 1024, files: readdirSync(`/proc/${pid}/fd`).length }];
    }),
  );
}

test(`${lookups} lookups, half of them from the cache, leak neither memory nor connections`, async () => {
  const path = (n: number) => (n % 2 === 0 ? '/TEST/mntner/EXAMPLE-MNT' : `/TEST/person/LK${n}-TEST`);
  const quarter = lookups / 4;
  const warm = await sendMany(system.http, quarter, path);
  const before = use();
  const all = await sendMany(system.http, 3 * quarter, (n) => path(n + quarter));
  expect([warm, all]).toEqual([
    { 200: quarter / 2, 404: quarter / 2 },
    { 200: (3 * quarter) / 2, 404: (3 * quarter) / 2 },
  ]);
  await eventually(() => {
    for (const [command, { memory, files }] of use()) {
      expect(files, command).toBeLessThanOrEqual(before.get(command)!.files + 5);
      // The young generation of the gateway and of objects may grow to 96 MiB.
      expect(memory, command).toBeLessThan(before.get(command)!.memory + 120);
    }
  });
});
