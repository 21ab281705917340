import type { AbuseContact } from '@cadastre/proto/geo';
import { failureMessage, failureOf, ServiceError } from '@cadastre/service';
import { expect, it } from 'vitest';
import { createAbuseContactBatcher } from './abuse-contact-batcher.js';

const contactOf = (role: string): AbuseContact => ({ role, email: 'abuse@example.net', suspect: false, orgId: '' });
const failed = (...failure: ConstructorParameters<typeof ServiceError>) => ({
  failure: failureOf(new ServiceError(...failure)),
});

it('sends the requests of one turn in one call, and returns each outcome separately', async () => {
  const requested: unknown[] = [];
  const find = createAbuseContactBatcher(
    {
      async batchFindAbuseContacts({ resources, minSerial }) {
        requested.push(resources, minSerial);
        return {
          answers: [
            { contact: contactOf('AR1-TEST') },
            failed('invalid', [failureMessage('Invalid argument: %s', ['foo'])]),
            failed('not-found', 'No abuse contact found'),
            {},
          ],
        };
      },
    },
    1000,
    () => 7n,
  );
  const resources = ['AS64500', 'foo', 'AS64501', 'AS64502'];
  const outcomes = await Promise.allSettled(resources.map((resource) => find(resource)));
  expect(requested).toEqual([resources, 7n]);
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.role : one.reason.kind))).toEqual([
    'AR1-TEST',
    'invalid',
    'not-found',
    'internal',
  ]);
});

it('bounds a call by number and by bytes', async () => {
  const sizes: number[] = [];
  const find = createAbuseContactBatcher(
    {
      async batchFindAbuseContacts({ resources }) {
        sizes.push(resources.length);
        return { answers: resources.map(() => ({ contact: contactOf('AR1-TEST') })) };
      },
    },
    1000,
    () => 7n,
  );
  await Promise.all(Array.from({ length: 250 }, (_, n) => find(`192.0.2.${n}`)));
  expect(sizes).toEqual([100, 100, 50]);
  sizes.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => find('x'.repeat(8 * 1024))));
  expect(sizes).toEqual([8, 8, 4]);
});
