import { expect, it } from 'vitest';
import { deal } from './deal.ts';

it('gives each part its share, evenly spread, with numbers of its own', () => {
  const mix = deal([
    { of: 'read', share: 4 },
    { of: 'write', share: 1 },
  ]);
  const dealt = Array.from({ length: 10 }, (_, n) => mix(n)).map(({ of, number }) => `${of} ${number}`);
  expect(dealt).toEqual([
    ...['read 0', 'read 1', 'write 0', 'read 2', 'read 3'],
    ...['read 4', 'read 5', 'write 1', 'read 6', 'read 7'],
  ]);
});
