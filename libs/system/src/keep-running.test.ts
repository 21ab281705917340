import { expect, test } from 'vitest';
import { keepRunning, type Running } from './keep-running.js';

/** Something that runs until the test ends it. */
function fakeProgram() {
  const starts: { end(how: string): void }[] = [];
  const startedTimes: number[] = [];
  let waiting: (() => void) | undefined;
  const start = async (): Promise<Running> => {
    const { promise: exited, resolve } = Promise.withResolvers<string>();
    starts.push({ end: resolve });
    startedTimes.push(performance.now());
    waiting?.();
    return { exited, stop: async () => resolve('was stopped'), kill: () => resolve('was killed') };
  };
  const started = async (count: number): Promise<void> => {
    while (starts.length < count) await new Promise<void>((resolve) => (waiting = resolve));
  };
  return { start, starts, started, startedTimes };
}

const quick = { firstPauseMs: 20, maxPauseMs: 60, settledMs: 1_000_000 };

test('a program that ends is restarted, with a one-line message', async () => {
  const program = fakeProgram();
  const lines: string[] = [];
  const stored = await keepRunning({ name: 'objects', start: program.start, announce: (l) => lines.push(l), ...quick });
  program.starts[0]?.end('was killed (SIGKILL)');
  await program.started(2);
  await stored.stop();
  expect(lines).toEqual(['objects was killed (SIGKILL); starting it again']);
});

test('the pause before a restart doubles up to its limit while the program keeps ending', async () => {
  const program = fakeProgram();
  const stored = await keepRunning({ name: 'x', start: program.start, announce: () => undefined, ...quick });
  for (let count = 1; count <= 4; count += 1) {
    program.starts[count - 1]?.end('ended');
    await program.started(count + 1);
  }
  await stored.stop();
  const pauses = program.startedTimes.slice(1).map((time, i) => time - (program.startedTimes[i] ?? 0));
  // Timers may fire a millisecond early; they never fire much too early.
  expect(pauses.map((pause, i) => pause >= [20, 40, 60, 60][i]! - 2)).toEqual([true, true, true, true]);
});

test('a failed restart is retried', async () => {
  const program = fakeProgram();
  const lines: string[] = [];
  let attempt = 0;
  const start = async () => {
    attempt += 1;
    if (attempt === 2) throw new Error('port is taken');
    return await program.start();
  };
  const stored = await keepRunning({ name: 'gateway', start, announce: (line) => lines.push(line), ...quick });
  program.starts[0]?.end('ended');
  await program.started(2);
  await stored.stop();
  expect(lines).toContain('gateway: port is taken');
});

test('a failed first start is thrown', async () => {
  const start = () => Promise.reject(new Error('no such file'));
  await expect(keepRunning({ name: 'x', start, announce: () => undefined })).rejects.toThrow('no such file');
});

test('a stopped program is not restarted', async () => {
  const program = fakeProgram();
  const stored = await keepRunning({ name: 'x', start: program.start, announce: () => undefined, ...quick });
  await stored.stop();
  expect(program.starts).toHaveLength(1);
});
