import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';

const token = '0b5ab7f2-5f0e-4a0e-8a1c-2f7f0c9b6f11';
const path = `/notifications/confirm/${token}`;
const confirmed: string[] = [];
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway({
    notifications: {
      confirm: async (request) => {
        if (request.token !== token) throw new ServiceError('not-found', 'This link is not valid');
        confirmed.push(request.token);
        return {};
      },
    },
  });
});
beforeEach(() => confirmed.splice(0));
afterAll(() => gateway.stop());

test('a link that a scanner of mails follows shows a button and confirms nothing', async () => {
  for (const method of ['GET', 'HEAD']) expect((await gateway.send(path, { method })).status).toBe(200);
  const { headers, text } = await gateway.send(path);
  expect(text).toContain('<form method="post"><button>Confirm</button></form>');
  expect(headers['cache-control']).toBe('no-store');
  expect(confirmed).toEqual([]);
});

test('the button confirms the address', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, text } = await gateway.send(path, { method: 'POST', headers, body: '' });
  expect([status, confirmed]).toEqual([200, [token]]);
  expect(text).toContain('Your address is confirmed.');
});

test('an unknown link is 404', async () => {
  const { status, text } = await gateway.send('/notifications/confirm/x', { method: 'POST' });
  expect([status, text, confirmed]).toEqual([404, expect.stringContaining('not valid'), []]);
});

test('a page of another site cannot confirm anything', async () => {
  const { status } = await gateway.send(path, { method: 'POST', headers: { origin: 'https://other.example' } });
  expect([status, confirmed]).toEqual([403, []]);
});
