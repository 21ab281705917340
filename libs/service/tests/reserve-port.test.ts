import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reservePort } from '../src/reserve-port.js';
import { sourceArguments } from './testing.js';

const program = fileURLToPath(new URL('reserve-port.fixture.ts', import.meta.url));

test('processes reserve different ports, until they end', async () => {
  const first = await reservePort({ first: 10_000, end: 31_996 });
  const range = { first: first + 1, end: first + 5 };
  const env = { ...process.env, NODE_OPTIONS: '', FIRST: String(range.first), END: String(range.end) };
  const other = spawn(process.execPath, [...sourceArguments, program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(other.stdout, 'data')) as [Buffer];
  const theirs = JSON.parse(line.toString()) as number[];
  const ours = [await reservePort(range), await reservePort(range)];
  expect([...theirs, ...ours].sort()).toEqual([1, 2, 3, 4].map((next) => first + next));
  await expect(reservePort(range)).rejects.toThrow('No free port');
  const exited = once(other, 'exit');
  other.stdin.end();
  await exited;
  expect(theirs).toContain(await reservePort(range));
});
