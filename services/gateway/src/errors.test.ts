import { NotificationServiceService, WriteOutcome } from '@cadastre/proto/objects';
import { type FailureKind, ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import { describe, expect, it } from 'vitest';
import { HttpError, httpErrorOf, statusOfOutcomes } from './errors.js';

it.each<[FailureKind, number]>([
  ['invalid', 400],
  ['unauthenticated', 401],
  ['forbidden', 503],
  ['not-found', 404],
  ['conflict', 409],
  ['out-of-range', 400],
  ['exhausted', 429],
  ['unavailable', 503],
  ['timeout', 503],
  ['cancelled', 503],
  ['unimplemented', 501],
  ['internal', 500],
])('a failure of kind %s is answered with %d', (kind, status) => {
  expect(httpErrorOf(new ServiceError(kind, 'a text')).status).toBe(status);
});

describe('an unexpected error', () => {
  it.each([new Error('select * from secret'), new ServiceError('internal', 'internals'), 'text', undefined, null])(
    'becomes a 500 without details (%#)',
    (thrown) => {
      const refusal = httpErrorOf(thrown);
      expect(refusal.status).toBe(500);
      expect(refusal.messages.map((message) => message.text)).toEqual(['Unexpected error occurred']);
    },
  );
});

it('has the time to retry and the ways to authenticate', () => {
  expect(httpErrorOf(new ServiceError('unavailable', 'away')).headers).toHaveProperty('retry-after');
  expect(httpErrorOf(new ServiceError('exhausted', 'busy', { waitingHelps: true })).headers).toHaveProperty(
    'retry-after',
  );
  expect(httpErrorOf(new ServiceError('exhausted', 'too much')).headers).toEqual({});
  expect(httpErrorOf(new ServiceError('unauthenticated', 'who')).headers).toHaveProperty('www-authenticate');
});

it('has a time to retry when a backend of the previous release does not support a method', async () => {
  const { unsubscribe } = inMemoryClient(NotificationServiceService, {});
  const refusal = httpErrorOf(await unsubscribe({ token: 'x' }).catch((error: unknown) => error));
  expect([refusal.status, refusal.headers]).toEqual([503, { 'retry-after': '5' }]);
});

it('has a time to retry when a backend of another release does not know this gateway', () => {
  const refusal = httpErrorOf(new ServiceError('forbidden', 'This caller may not use this method'));
  expect([refusal.status, refusal.headers]).toEqual([503, { 'retry-after': '5' }]);
  expect(refusal.messages.map(({ text }) => text)).toEqual(['Service temporarily unavailable']);
});

it('passes a refusal on', () => {
  const refusal = new HttpError(418, []);
  expect(httpErrorOf(refusal)).toBe(refusal);
});

const {
  WRITE_OUTCOME_CREATED: created,
  WRITE_OUTCOME_MODIFIED: modified,
  WRITE_OUTCOME_DELETED: deleted,
  WRITE_OUTCOME_UNCHANGED: unchanged,
  WRITE_OUTCOME_INVALID: invalid,
  WRITE_OUTCOME_UNAUTHORISED: unauthorised,
  WRITE_OUTCOME_EXISTS: exists,
  WRITE_OUTCOME_REFERENCED: referenced,
  WRITE_OUTCOME_NOT_FOUND: notFound,
  WRITE_OUTCOME_SKIPPED: skipped,
} = WriteOutcome;

it.each([
  [[created], 200],
  [[modified], 200],
  [[deleted], 200],
  [[unchanged], 200],
  [[invalid], 400],
  [[unauthorised], 401],
  [[exists], 409],
  [[referenced], 409],
  [[notFound], 404],
  [[created, created], 200],
  [[skipped, exists], 409],
  [[invalid, unauthorised], 401],
  [[invalid, skipped], 400],
  [[-1 as WriteOutcome], 500],
])('outcomes %s are answered with %d', (outcomes, status) => {
  expect(statusOfOutcomes(outcomes)).toBe(status);
});
