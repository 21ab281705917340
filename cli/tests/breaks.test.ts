import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BulkLoadServiceService,
  type ExportObjectsRequest,
  type LoadPosition,
  type LoadRequest,
  type LoadResponse,
  ObjectReaderServiceService,
} from '@cadastre/proto/objects';
import { type FailureKind, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Finished, fake, startFakeRegistry } from './fake-registry.js';

// The behaviour of the program when a load or an export breaks, as a process of its own: needs a build.
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const text = 'person: A\n\nperson: B\n\nperson: C\n\n';

let directory: string;
let registry: Awaited<ReturnType<typeof startFakeRegistry>>;
/** The text of each call, and its position. */
let calls: { resume: bigint | undefined; text: string; keys: number }[];
/** The ends of the calls: after a position at this line and other work, with this failure; the last one succeeds. */
let plan: { line?: bigint; before?: () => Promise<void>; fails?: FailureKind }[];
let onExport: (after: string | undefined) => void;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-breaks-'));
  registry = await startFakeRegistry([
    fake(BulkLoadServiceService, { load: takeLoad }),
    fake(ObjectReaderServiceService, { exportObjects }),
  ]);
});

afterAll(async () => {
  await registry?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(() => {
  calls = [];
  plan = [];
  onExport = () => {};
});

const position = (line: bigint): LoadPosition => ({
  ...{
    load: 'aaaaaaaa',
    line,
    since: 0n,
    created: line / 2n,
    modified: 0n,
    unchanged: 0n,
    rejected: 0n,
    staged: false,
  },
});

async function* takeLoad(requests: AsyncIterable<LoadRequest>): AsyncGenerator<LoadResponse> {
  const call = { resume: undefined as bigint | undefined, text: '', keys: 0 };
  calls.push(call);
  for await (const { part } of requests) {
    if (part?.$case === 'settings') call.resume = part.value.resume?.line;
    else if (part?.$case === 'keys') call.keys++;
    else if (part?.$case === 'data') call.text += part.value.toString('latin1');
  }
  const { line, before, fails } = plan.shift() ?? {};
  yield { news: { $case: 'begun', value: { position: position(call.resume ?? 1n), replacingSince: undefined } } };
  yield { news: { $case: 'rejected', value: { line: 1n, name: 'person A', reasons: ['bad'] } } };
  if (line !== undefined) {
    const keys = { accepted: Buffer.alloc(8), rejected: Buffer.alloc(0), maintainers: [] };
    const counts = { bytes: 0n, objects: 1n, rejected: 1n, line, storedAtEnd: false };
    yield { news: { $case: 'progress', value: { ...counts, position: position(line), keys } } };
  }
  await before?.();
  if (fails !== undefined) throw new ServiceError(fails, 'It broke');
  const counts = { created: 3n, modified: 0n, unchanged: 0n, deleted: 0n, rejected: 0n };
  const value = { ...counts, serial: 3n, danglingMaintainers: 0n, danglingExamples: [] };
  yield { news: { $case: 'summary', value } };
}

const pages = ['A', 'B', 'C'];
/** The moments in the export requests of a test. */
const moments: unknown[] = [];

async function* exportObjects({ after, asOf }: ExportObjectsRequest) {
  moments.push(asOf?.point?.value);
  yield { serial: 5n, objects: [], exact: true };
  for (const key of pages.slice(after === undefined ? 0 : pages.indexOf(after) + 1)) {
    const none = { contacts: [], tags: [], revision: 1, serial: 1n, source: 'TEST', type: 'person', key };
    yield { serial: 0n, objects: [{ ...none, text: `person: ${key}\n` }], position: key };
    onExport(key);
  }
}

function run(args: string[], stdin = '', onStart = (_pid: number) => {}): Promise<Finished & { code: number }> {
  const child = spawn(process.execPath, [program, ...args], { env: registry.env });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  child.stdin.end(stdin);
  onStart(child.pid!);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code as Finished['code'], ...said })));
}

/** The progress that the program reports every few seconds; on a busy machine a short load takes that long. */
const progress = /^\d+ objects?(?: stored, \d+ rejected|, now at .*)\n/gm;
const withoutProgress = (stderr: string) => stderr.replaceAll(progress, '');

describe('a load', () => {
  test('sends what is not confirmed again, with the keys of the rest, and reports a rejected object once', async () => {
    plan = [
      { line: 3n, fails: 'unavailable' },
      { line: 5n, fails: 'unavailable' },
    ];
    const { code, stdout, stderr } = await run(['load', '--source', 'TEST', '-'], text);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^3 created/)]);
    expect(withoutProgress(stderr)).toBe(
      'connection lost; resuming at object 2\nconnection lost; resuming at object 3\nrejected -:1: person A: bad\n',
    );
    expect(calls).toEqual([
      { resume: undefined, text, keys: 0 },
      { resume: 3n, text: 'person: B\n\nperson: C\n\n', keys: 1 },
      { resume: 5n, text: 'person: C\n\n', keys: 2 },
    ]);
  });

  test('starts again when nothing is confirmed, and says so to the registry, where the broken one may still run', async () => {
    plan = [{ fails: 'unavailable' }];
    const { code, stderr } = await run(['load', '--source', 'TEST', '-'], text);
    expect([code, withoutProgress(stderr).split('\n')[0]]).toEqual([
      0,
      'connection lost; starting again, because nothing of this load is stored',
    ]);
    expect(calls).toEqual([
      { resume: undefined, text, keys: 0 },
      { resume: 1n, text, keys: 0 },
    ]);
  });

  test.each<FailureKind>(['invalid', 'forbidden', 'unauthenticated', 'conflict', 'internal'])(
    'is not repeated after the answer "%s"',
    async (fails) => {
      plan = [{ line: 3n, fails }];
      const { code } = await run(['load', '--source', 'TEST', '-'], text);
      expect([code, calls.length]).toEqual([2, 1]);
    },
  );

  test('gives up when it makes no progress', async () => {
    plan = Array.from({ length: 100 }, () => ({ line: 3n, fails: 'unavailable' as const }));
    const { code, stderr } = await run(['load', '--source', 'TEST', '--retry', '5s', '-'], text);
    expect([code, stderr]).toEqual([2, expect.stringContaining('No progress for 5 s after the connection was lost')]);
    expect(calls.length).toBeGreaterThan(1);
  });

  test('does not resume with a file that has changed', async () => {
    const file = join(directory, 'dump.txt');
    await writeFile(file, text.repeat(20_000));
    plan = [{ line: 3n, before: () => writeFile(file, text), fails: 'unavailable' }];
    expect(await run(['load', '--source', 'TEST', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} has changed`),
    });
  });
});

describe('an export to a file', () => {
  const inside = async () => (await readdir(directory)).filter((name) => name.startsWith('.'));
  const args = (file: string) => ['export', '--source', 'TEST', '--output', file];

  test('keeps the mode of a file that it replaces, and a symbolic link', async () => {
    const [file, link] = [join(directory, 'real.txt'), join(directory, 'link.txt')];
    await writeFile(file, 'old');
    await chmod(file, 0o600);
    await symlink(file, link);
    expect((await run(args(link))).code).toBe(0);
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([
      'person: A\n\nperson: B\n\nperson: C\n\n',
      0o600,
    ]);
    expect(await inside()).toEqual([]);
  });

  test('resumes after the last page, at the same moment', async () => {
    const file = join(directory, 'broken.txt');
    onExport = (after) => {
      if (after !== 'B') return;
      onExport = () => {};
      throw new ServiceError('unavailable', 'It broke');
    };
    moments.length = 0;
    const { code, stderr } = await run(args(file));
    expect([code, withoutProgress(stderr)]).toEqual([
      0,
      'connection lost; resuming after 2 objects\n3 objects as of serial 5\n',
    ]);
    expect(moments).toEqual([undefined, 5n]);
    expect(await readFile(file, 'utf8')).toBe('person: A\n\nperson: B\n\nperson: C\n\n');
  });

  test.each<[string, NodeJS.Signals | undefined, number]>([
    ['a failure', undefined, 2],
    ['Ctrl-C', 'SIGINT', 130],
    ['SIGTERM', 'SIGTERM', 143],
  ])('after %s leaves the file that exists, and nothing else', async (_, signal, exit) => {
    const file = join(directory, 'kept.txt');
    await writeFile(file, 'an earlier export');
    let pid = 0;
    onExport = (after) => {
      if (after !== 'B') return;
      if (signal === undefined) throw new ServiceError('internal', 'It broke');
      process.kill(pid, signal);
    };
    const { code } = await run(args(file), '', (started) => {
      pid = started;
    });
    expect([code, await readFile(file, 'utf8'), await inside()]).toEqual([exit, 'an earlier export', []]);
  });
});
