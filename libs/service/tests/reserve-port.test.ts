import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reservePort } from '../src/reserve-port.js';
import { sourceArguments } from './testing.js';

const program = fileURLToPath(new URL('reserve-port.fixture.ts', import.meta.url));

/** Four ports that nobody uses, outside of those that other tests reserve. */
async function freeRange(): Promise<{ first: number; end: number }> {
  for (;;) {
    const first = randomInt(2_000, 9_990);
    const servers = [0, 1, 2, 3].map((next) => createServer().listen(first + next));
    const free = await Promise.all(
      servers.map((server) =>
        once(server, 'listening').then(
          () => true,
          () => false,
        ),
      ),
    );
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    if (!free.includes(false)) return { first, end: first + 4 };
  }
}

test('processes reserve different ports, until they end', async () => {
  const range = await freeRange();
  const env = { ...process.env, NODE_OPTIONS: '', FIRST: String(range.first), END: String(range.end) };
  const other = spawn(process.execPath, [...sourceArguments, program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(other.stdout, 'data')) as [Buffer];
  const theirs = JSON.parse(line.toString()) as number[];
  const ours = [await reservePort(range), await reservePort(range)];
  expect([...theirs, ...ours].sort()).toEqual([0, 1, 2, 3].map((next) => range.first + next));
  await expect(reservePort(range)).rejects.toThrow('No free port');
  const exited = once(other, 'exit');
  other.stdin.end();
  await exited;
  expect(theirs).toContain(await reservePort(range));
});
