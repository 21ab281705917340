import { expect, test } from 'vitest';
import { linkedParts } from './linked-parts.js';

test.each([
  ['', ''],
  ['+31 20 555 0100', '+31 20 555 0100'],
  ['noc@example.net', '[noc@example.net](mailto:noc@example.net)'],
  ['a+b?x@example.net', '[a+b?x@example.net](mailto:a%2Bb%3Fx@example.net)'],
  ['Mail abuse@example.net.', 'Mail [abuse@example.net](mailto:abuse@example.net).'],
  ['see https://example.net/a, or b', 'see [https://example.net/a](https://example.net/a), or b'],
  [
    '(https://example.net/?q=a@example.net)',
    '([https://example.net/?q=a@example.net](https://example.net/?q=a@example.net))',
  ],
  ['http://example.net javascript:alert(1) x@localhost', 'http://example.net javascript:alert(1) x@localhost'],
])('%j has the links %j', (value, marked) => {
  const text = linkedParts(value).map((part) => (part.href ? `[${part.text}](${part.href})` : part.text));
  expect(text.join('')).toBe(marked);
});
