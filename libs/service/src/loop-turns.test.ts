import { expect, test } from 'vitest';
import { createLoopTurns } from './loop-turns.js';

test.each([
  [false, ['a1', 'b2', 'c3', 'a4', 'a5']],
  [true, ['a1', 'b1', 'c1', 'a2', 'a3']],
])('parts of owners, one of each in a turn of the event loop: %s', async (everyOwner, order) => {
  const turns = createLoopTurns({ everyOwner });
  let loops = 0;
  let isDone = false;
  const count = () => {
    loops++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const parts: string[] = [];
  const owners = ['a', 'a', 'b', 'c', 'a'];
  await Promise.all(owners.map((owner) => turns.next(owner).then(() => parts.push(`${owner}${loops}`))));
  isDone = true;
  expect(parts).toEqual(order);
});
