import { expect, it } from 'vitest';
import { withoutNumbers } from './disk-use.ts';

it.each([
  ['document_12', 'document'],
  ['document_12_terms', 'document_terms'],
  ['object_route6', 'object_route6'],
  ['object_inet6num', 'object_inet6num'],
  ['object_3_span_idx', 'object_span_idx'],
])('%s is shown as %s', (name, shown) => {
  expect(withoutNumbers(name)).toBe(shown);
});
