import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiKeyServiceService } from '@cadastre/proto/auth';
import {
  BulkLoadServiceService,
  type LoadProgress,
  type LoadRequest,
  type LoadResponse,
  ObjectReaderServiceService,
} from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fake, startFakeRegistry } from './fake-registry.js';

// The program in a terminal, as a process of its own: needs a build and Python 3.
const terminal = fileURLToPath(new URL('in-terminal.py', import.meta.url));
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const evil = '\u001b]0;pwned\u0007\u009b2J\u001b[?1049h';

let directory: string;
let dump: string;
let registry: Awaited<ReturnType<typeof startFakeRegistry>>;
/** The answers to a load; it stays open after them when there is no summary. */
let answers: LoadResponse['news'][];
let onLoad: () => void;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-terminal-'));
  dump = join(directory, 'dump.txt');
  await writeFile(dump, 'person: A\n\nperson: B\n\nperson: C\n\nperson: D\n'.repeat(1000));
  registry = await startFakeRegistry([
    fake(BulkLoadServiceService, { load: takeLoad }),
    fake(ObjectReaderServiceService, {
      async *exportObjects() {
        const none = { contacts: [], tags: [], revision: 1, serial: 1n, source: 'TEST', type: 'person', key: 'a' };
        yield { serial: 1n, objects: [{ ...none, text: `person: ${evil}\n` }] };
      },
    }),
    fake(SearchServiceService, {
      rebuildIndex: async () => ({ id: '7' }),
      watchRebuild: (_, { signal }) => untilAborted(signal),
    }),
    fake(ApiKeyServiceService, {
      revokeApiKey: async () => {
        throw new ServiceError('not-found', `No key ${evil}`);
      },
    }),
  ]);
});

afterAll(async () => {
  await registry?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(() => {
  answers = [];
  onLoad = () => {};
});

async function* takeLoad(requests: AsyncIterable<LoadRequest>, { signal }: { signal: AbortSignal }) {
  for await (const { part } of requests) if (part?.$case === 'settings') onLoad();
  for (const news of answers) yield { news };
  if (answers.at(-1)?.$case === 'summary') return;
  yield* untilAborted(signal);
}

async function* untilAborted(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

interface Finished {
  code: number;
  /** The output of the terminal. */
  shown: string;
}

const hidesCursor = '\u001b[?25l';

/** Interrupts the process as Ctrl-C does when it has hidden the cursor, before it does anything else. */
const interruptsFirst = `data:text/javascript,${encodeURIComponent(`
  const write = process.stderr.write;
  process.stderr.write = function (text, ...more) {
    const written = write.call(this, text, ...more);
    if (String(text).includes(${JSON.stringify(hidesCursor)})) process.kill(process.pid, 'SIGINT');
    return written;
  };
`)}`;

/** Runs the program; interrupts it when the terminal shows a text. */
function inTerminal(
  args: string[],
  interrupt?: { at: string; by: 'keyboard' | 'SIGINT' | 'SIGTERM' },
  nodeFlags: string[] = [],
) {
  return new Promise<Finished>((resolve) => {
    const command = [process.execPath, ...nodeFlags, program, ...args];
    const all = [terminal, interrupt?.at ?? '', interrupt?.by ?? 'none', ...command];
    const env = { PATH: process.env.PATH, TERM: 'xterm', ...registry.env };
    execFile('python3', all, { env, encoding: 'latin1' }, (error, shown) => {
      resolve({ code: error === null ? 0 : Number(error.code), shown });
    });
  });
}

const progress = (some: Partial<LoadProgress>): LoadResponse['news'] => ({
  $case: 'progress',
  value: { bytes: 0n, objects: 0n, rejected: 0n, line: 1n, storedAtEnd: false, ...some },
});
const counts = { created: 4000n, modified: 0n, unchanged: 0n, deleted: 0n, rejected: 0n };
const summary = { ...counts, serial: 7n, danglingMaintainers: 0n, danglingExamples: [] as string[] };

/** The last of the escape sequences that switch something on (h) or off (l). */
const lastOf = (shown: string, mode: string) =>
  shown.slice(shown.lastIndexOf(`\u001b[?${mode}`)).slice(0, mode.length + 4);
const isRestored = (shown: string) => [lastOf(shown, '25'), lastOf(shown, '7')];

describe('an interrupted load', () => {
  test.each([
    ['keyboard', false, 130, '2000 objects are stored'],
    ['SIGINT', true, 130, '0 objects are stored'],
    ['SIGTERM', false, 143, '2000 objects are stored'],
  ] as const)(
    'by %s restores the terminal and says what is stored (all at the end: %s)',
    async (by, storedAtEnd, exit, stored) => {
      answers = [progress({ objects: 2000n, line: 4000n, storedAtEnd })];
      const { code, shown } = await inTerminal(['load', '--source', 'TEST', dump], { at: '2000 objects', by });
      expect([code, shown]).toEqual([
        exit,
        expect.stringContaining(`interrupted; ${stored}, load again to continue\r\n`),
      ]);
      expect(isRestored(shown)).toEqual(['\u001b[?25h', '\u001b[?7h']);
    },
  );

  test('ends although standard input stays open', async () => {
    const child = spawn(process.execPath, [program, 'load', '--source', 'TEST', '-'], { env: registry.env });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    onLoad = () => child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(said).toBe('interrupted; 0 objects are stored, load again to continue\n');
  });
});

test.each([
  ['load', () => ['load', '--source', 'TEST', dump], '0 objects are stored, load again to continue'],
  ['index rebuild', () => ['index', 'rebuild', 'TEST', '--wait'], 'the rebuild of TEST continues, '],
])('Ctrl-C at the moment when the bar of %s begins restores the terminal', async (_, args, reported) => {
  const { code, shown } = await inTerminal(args(), undefined, ['--import', interruptsFirst]);
  expect([code, shown]).toEqual([130, expect.stringContaining(`\r\ninterrupted; ${reported}`)]);
  expect(shown).toContain(hidesCursor);
  expect(isRestored(shown)).toEqual(['\u001b[?25h', '\u001b[?7h']);
});

test('texts of others never control the terminal', async () => {
  answers = [
    { $case: 'rejected', value: { line: 1n, name: `person ${evil}${'x'.repeat(500)}`, reasons: [`bad\n${evil}`] } },
    {
      $case: 'summary',
      value: { ...summary, rejected: 1n, danglingMaintainers: 1n, danglingExamples: [`${evil}-MNT`] },
    },
  ];
  const load = await inTerminal(['load', '--source', 'TEST', dump]);
  const shown = [load, await inTerminal(['export', '--source', 'TEST']), await inTerminal(['api-key', 'revoke', 'K1'])];
  expect(shown.map(({ code }) => code)).toEqual([1, 0, 2]);
  for (const one of shown) {
    expect(one.shown).toContain('\\x1b]0;pwned\\x07\\x9b2J\\x1b[?1049h');
    for (const part of ['\u001b]0;', '\u0007', '\u009b', '\u001b[?1049h']) expect(one.shown).not.toContain(part);
  }
  expect(load.shown).not.toContain('x'.repeat(101));
});

test('the bar shows what is stored, and ends at 100 % with the time taken', async () => {
  answers = [
    progress({ objects: 1000n, line: 2001n }),
    progress({ objects: 4000n, line: 7999n }),
    { $case: 'summary', value: summary },
  ];
  const { code, shown } = await inTerminal(['load', '--source', 'TEST', dump]);
  expect(code).toBe(0);
  expect(shown).not.toMatch(/100% .* left/);
  expect(shown).toMatch(/100% \| 4000 objects stored, 0 rejected \| took \d+ s/);
  expect(isRestored(shown)).toEqual(['\u001b[?25h', '\u001b[?7h']);
});
