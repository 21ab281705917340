import { type AbuseContact, ResourceStatus } from '@cadastre/proto/geo';
import { failureMessage } from '@cadastre/service';
import { expect, it } from 'vitest';
import { createAbuseContactBatcher, createLocationBatcher } from './geo-batchers.js';

const contactOf = (role: string): AbuseContact => ({ role, email: 'abuse@example.net', suspect: false, orgId: '' });
const { RESOURCE_STATUS_FOUND, RESOURCE_STATUS_INVALID, RESOURCE_STATUS_NOT_FOUND, RESOURCE_STATUS_UNSPECIFIED } =
  ResourceStatus;

it('sends the requests of one turn in one call, and gives each its own outcome', async () => {
  const asked: string[][] = [];
  const find = createAbuseContactBatcher(
    {
      async batchFindAbuseContacts({ resources }) {
        asked.push(resources);
        return {
          answers: [
            { status: RESOURCE_STATUS_FOUND, contact: contactOf('AR1-TEST'), messages: [] },
            { status: RESOURCE_STATUS_INVALID, messages: [failureMessage('Invalid argument: %s', ['foo'])] },
            { status: RESOURCE_STATUS_NOT_FOUND, messages: [failureMessage('No abuse contact found')] },
            { status: RESOURCE_STATUS_UNSPECIFIED, messages: [] },
          ],
        };
      },
    },
    1000,
  );
  const resources = ['AS64500', 'foo', 'AS64501', 'AS64502'];
  const outcomes = await Promise.allSettled(resources.map((resource) => find(resource)));
  expect(asked).toEqual([resources]);
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.role : one.reason.kind))).toEqual([
    'AR1-TEST',
    'invalid',
    'not-found',
    'internal',
  ]);
});

it('bounds a call by number and by bytes', async () => {
  const sizes: number[] = [];
  const locate = createLocationBatcher(
    {
      async batchLocate({ resources }) {
        sizes.push(resources.length);
        return {
          answers: resources.map(() => ({ status: RESOURCE_STATUS_FOUND, location: { languages: [] }, messages: [] })),
        };
      },
    },
    1000,
  );
  await Promise.all(Array.from({ length: 250 }, (_, n) => locate(`192.0.2.${n}`)));
  expect(sizes).toEqual([100, 100, 50]);
  sizes.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => locate('x'.repeat(8 * 1024))));
  expect(sizes).toEqual([8, 8, 4]);
});
