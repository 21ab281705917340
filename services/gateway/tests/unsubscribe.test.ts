import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';

const token = '0b5ab7f2-5f0e-4a0e-8a1c-2f7f0c9b6f11';
const path = `/notifications/unsubscribe/${token}`;
const requested: string[] = [];
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway({
    notifications: {
      unsubscribe: async (request) => {
        requested.push(request.token);
        if (request.token !== token) throw new ServiceError('not-found', 'This link to unsubscribe is not valid');
        return {};
      },
    },
  });
});
beforeEach(() => requested.splice(0));
afterAll(() => gateway.stop());

test('a mail program unsubscribes by one request without a cookie (RFC 8058)', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, text } = await gateway.send(path, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
  expect([status, requested]).toEqual([200, [token]]);
  expect(text).toContain('You are unsubscribed.');
});

test('a link that is followed shows a button and changes nothing', async () => {
  const { status, headers, text } = await gateway.send(path);
  expect([status, headers['content-type'], requested]).toEqual([200, 'text/html; charset=utf-8', []]);
  expect(text).toContain('<form method="post">');
  // Otherwise browsers send "Origin: null" with the button's request.
  expect(headers['referrer-policy']).toBe('same-origin');
});

test('an unknown link is 404', async () => {
  const { status, text } = await gateway.send('/notifications/unsubscribe/x', { method: 'POST' });
  expect([status, text]).toEqual([404, expect.stringContaining('not valid')]);
});

test('a page of another site cannot unsubscribe anybody', async () => {
  const { status } = await gateway.send(path, { method: 'POST', headers: { origin: 'https://other.example' } });
  expect([status, requested]).toEqual([403, []]);
});
