import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { sourceArguments } from './testing.js';

const program = fileURLToPath(new URL('lifecycle-program.ts', import.meta.url));

interface Run {
  child: ChildProcess;
  /** Settles when the program has printed the line. */
  said(line: string): Promise<void>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

let last: Run | undefined;
afterEach(() => void last?.child.kill('SIGKILL'));

function run(env: Record<string, string> = {}, args: string[] = []): Run {
  const child = spawn(process.execPath, [...sourceArguments, program, ...args], {
    env: { CADASTRE_LOG_LEVEL: 'fatal', ...env },
  });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (out[name] += chunk));
  const ended = new Promise<Awaited<Run['ended']>>((resolve) => {
    child.on('close', (code) => resolve({ code, ...out }));
  });
  const said = (line: string) => expect.poll(() => out.stdout.split('\n')).toContain(line);
  last = { child, said, ended };
  return last;
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s drains and exits 0', async (signal) => {
  const { child, said, ended } = run();
  await said('started');
  child.kill(signal);
  expect(await ended).toEqual({ code: 0, stdout: 'started\ndraining\ndrained\n', stderr: '' });
});

test('a second signal exits at once', async () => {
  const { child, said, ended } = run({ TEST_DRAIN_MS: '60000' });
  await said('started');
  child.kill('SIGTERM');
  await said('draining');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 1, stdout: 'started\ndraining\n' });
});

test('a signal during the start exits 0', async () => {
  const { child, said, ended } = run({ TEST_FAILURE: 'unreachable' });
  await said('waiting');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, stdout: 'waiting\n', stderr: '' });
});

test('with that argument, the end of the parent drains and exits 0', async () => {
  const { child, said, ended } = run({}, ['--with-parent']);
  await said('started');
  child.stdin!.end();
  expect(await ended).toMatchObject({ code: 0, stdout: 'started\ndraining\ndrained\n' });
});

test('one line warns of settings that no program has', async () => {
  const others = { CADASTRE_HTTP_PORT: '8080', CADASTRE_REDIS_URL_FILE: '/redis', CADASTRE_TEST_X: 'x', OTHER: 'x' };
  const unknown = { CADASTRE_HTPS_PORT: '8443', CADASTRE_LISTEN_FILE: '/listen', CADASTRE_EMPTY: '' };
  const { child, said, ended } = run({ CADASTRE_LOG_LEVEL: 'warn', ...others, ...unknown });
  await said('started');
  child.kill('SIGTERM');
  const lines = (await ended).stdout.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line).variables)).toEqual([['CADASTRE_HTPS_PORT', 'CADASTRE_LISTEN_FILE']]);
});

test('bad settings are printed one line each', async () => {
  const { ended } = run({ TEST_DRAIN_MS: 'x', TEST_FAILURE: 'y' });
  const { code, stdout, stderr } = await ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^TEST_DRAIN_MS: must be .*\nTEST_FAILURE: must be .*\n$/);
});

test('bad settings found during creation are printed too', async () => {
  const { ended } = run({ TEST_FAILURE: 'settings' });
  expect(await ended).toEqual({ code: 1, stdout: '', stderr: 'TEST_PAIR: set both or none\n' });
});

test.each([
  ['start', 'cannot listen'],
  ['later', 'forgotten'],
])('a failure in %s is logged and exits 1', async (failure, text) => {
  const { ended } = run({ TEST_FAILURE: failure });
  const { code, stdout } = await ended;
  expect(code).toBe(1);
  expect(stdout).toContain(`"message":"${text}"`);
});

test('--help lists the settings and runs nothing', async () => {
  const { code, stdout } = await run({}, ['--help']).ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^CADASTRE_ENVIRONMENT +production\|test +default test /m);
  expect(stdout).not.toContain('started');
});

test.each([
  [{ TEST_NAME: 'you' }, ['greet'], 0, /^hello you\n$/],
  [{ TEST_NAME: 'you', TEST_DRAIN_MS: 'a setting of the service alone' }, ['greet'], 0, /^hello you\n$/],
  [{}, ['greet'], 1, /^$/],
  [{ TEST_NAME: 'you', TEST_FAILURE: 'start' }, ['greet'], 1, /"message":"cannot greet"/],
  [{}, ['dance'], 1, /^$/],
])('with %j the command %j exits %i', async (env, args, code, output) => {
  const result = await run(env, args).ended;
  expect(result.code).toBe(code);
  expect(result.stdout).toMatch(output);
});
