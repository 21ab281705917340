import { Severity } from '@cadastre/proto/registry';
import { expect, test } from 'vitest';
import { failureMessage, formatMessage, ServiceError, toServiceError, wireMessage } from './errors.js';

test.each([
  ['%s is not %s', ['a', 'b'], 'a is not b'],
  ['100%% of %d', [7], '100% of 7'],
  ['%s of %s', ['only one'], 'only one of %s'],
  ['the serial %s', [2n ** 63n], 'the serial 9223372036854775808'],
])('the template %s with %s reads %s', (text, args, sentence) => {
  expect(formatMessage(failureMessage(text, args))).toBe(sentence);
});

test.each([
  ['error', Severity.SEVERITY_ERROR],
  ['warning', Severity.SEVERITY_WARNING],
  ['info', Severity.SEVERITY_INFO],
] as const)('a message of the object language with the severity %s crosses boundaries', (severity, onTheWire) => {
  const said = { text: '%s is wrong', args: ['x'], attribute: { name: 'descr', value: ' x' } };
  expect(wireMessage({ severity, ...said, attributeIndex: 1 })).toEqual({ severity: onTheWire, ...said });
});

test('the text of an error is not a template', () => {
  const [message] = new ServiceError('invalid', '50% is no %s').messages;
  expect(formatMessage(message!)).toBe('50% is no %s');
});

test('any other error becomes a ServiceError that hides its text and keeps its cause', () => {
  const cause = new Error('relation "secret" does not exist');
  const error = toServiceError(cause);
  expect(error).toMatchObject({ kind: 'internal', cause });
  expect(error.messages.map(formatMessage)).toEqual(['Internal error']);
});

test.each([
  ['connect ECONNREFUSED 192.0.2.1:5432', 'ECONNREFUSED'],
  ['getaddrinfo ENOTFOUND postgresql', 'ENOTFOUND'],
  ['getaddrinfo EAI_AGAIN postgresql', 'EAI_AGAIN'],
  ['connect EHOSTUNREACH 192.0.2.1:5432', 'EHOSTUNREACH'],
  ['connect ENETUNREACH 192.0.2.1:5432', 'ENETUNREACH'],
  ['read ECONNRESET', 'ECONNRESET'],
  ['write EPIPE', 'EPIPE'],
  ['read ETIMEDOUT', 'ETIMEDOUT'],
  ['connect ENOENT /run/postgresql/.s.PGSQL.5432', 'ENOENT', 'connect'],
  ['connection does not exist', '08003'],
  ['connection failure', '08006'],
  ['protocol violation', '08P01'],
  ['sorry, too many clients already', '53300'],
  ['terminating connection due to administrator command', '57P01'],
  ['terminating connection because of crash of another server process', '57P02'],
  ['the database system is shutting down', '57P03'],
  ['terminating connection due to idle-in-transaction timeout', '25P03'],
  ['cannot execute INSERT in a read-only transaction', '25006'],
  ['canceling statement due to statement timeout', '57014'],
  ['Connection terminated unexpectedly', undefined],
  ['Connection terminated due to connection timeout', undefined],
  ['timeout exceeded when trying to connect', undefined],
  ['timeout expired', undefined],
  ['Query read timeout', undefined],
  ['Client has encountered a connection error and is not queryable', undefined],
  ['Cannot use a pool after calling end on the pool', undefined],
])('a database that is away makes the service unavailable: %s', (text, code, syscall?: string) => {
  const error = toServiceError(Object.assign(new Error(text), { code, syscall }));
  expect([error.kind, ...error.messages.map(formatMessage)]).toEqual([
    'unavailable',
    'Service temporarily unavailable',
  ]);
});

test.each([
  ["ENOENT: no such file or directory, open 'template.txt'", 'ENOENT', 'open'],
  ['duplicate key value violates unique constraint', '23505', undefined],
  ['relation "object" does not exist', '42P01', undefined],
])(
  'what a database refuses, and what has nothing to do with one, stays an internal error: %s',
  (text, code, syscall) => {
    expect(toServiceError(Object.assign(new Error(text), { code, syscall })).kind).toBe('internal');
  },
);
