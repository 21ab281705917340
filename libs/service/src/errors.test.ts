import { expect, test } from 'vitest';
import { failureMessage, formatMessage, ServiceError, toServiceError } from './errors.js';

test.each([
  ['%s is not %s', ['a', 'b'], 'a is not b'],
  ['100%% of %d', ['7'], '100% of 7'],
  ['%s of %s', ['only one'], 'only one of %s'],
  ['%s', ['%s'], '%s'],
])('the template %s with %j reads %s', (text, args, sentence) => {
  expect(formatMessage(failureMessage(text, args))).toBe(sentence);
});

test('a text given to an error is no template', () => {
  const [message] = new ServiceError('invalid', '50% is no %s').messages;
  expect(formatMessage(message!)).toBe('50% is no %s');
});

test('what is no ServiceError becomes one that tells nothing and keeps its cause', () => {
  const cause = new Error('relation "secret" does not exist');
  const error = toServiceError(cause);
  expect(error).toMatchObject({ kind: 'internal', cause });
  expect(error.messages.map(formatMessage)).toEqual(['Internal error']);
});

test.each([
  ['connect ECONNREFUSED 192.0.2.1:5432', 'ECONNREFUSED'],
  ['getaddrinfo ENOTFOUND postgresql', 'ENOTFOUND'],
  ['the database system is shutting down', '57P03'],
  ['terminating connection due to administrator command', '57P01'],
  ['Connection terminated unexpectedly', undefined],
  ['timeout exceeded when trying to connect', undefined],
])('a database that is away makes the service unavailable: %s', (text, code) => {
  const error = toServiceError(Object.assign(new Error(text), { code }));
  expect([error.kind, ...error.messages.map(formatMessage)]).toEqual([
    'unavailable',
    'Service temporarily unavailable',
  ]);
});
