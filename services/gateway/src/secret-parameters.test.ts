import { expect, it } from 'vitest';
import { publicQuery } from './secret-parameters.js';

it.each([
  ['dry-run&password=hunter2&x=%20&pass%77ord=y', 'dry-run&x=%20'],
  ['password=hunter2', ''],
])('the link of ?%s has no secrets', (query, expected) => {
  expect(publicQuery(query)).toBe(expected);
});
