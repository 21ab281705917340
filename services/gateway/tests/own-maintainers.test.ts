import type { Principal } from '@cadastre/proto/registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let requested: Principal | undefined;
let gateway: RunningGateway;
const path = '/session/maintainers';

beforeAll(async () => {
  const listOwnMaintainers = async ({ principal }: { principal?: Principal | undefined }) => {
    requested = principal;
    return { maintainers: [{ source: 'TEST', type: 'mntner', key: 'EXAMPLE-MNT' }], incomplete: false };
  };
  gateway = await startGateway({ reader: { ...exampleReader, listOwnMaintainers }, auth: exampleAuth });
});
afterAll(() => gateway.stop());

test('an account gets its mntners', async () => {
  const answer = await gateway.send(path, { headers: { authorization: 'Basic good' } });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ maintainers: [{ source: 'TEST', key: 'EXAMPLE-MNT' }], incomplete: false });
  expect(requested?.accountName).toBe('alice@example.net');
});

test('anonymous requests for mntners are refused', async () => {
  expect((await gateway.send(path)).status).toBe(401);
  expect((await gateway.send(path, { secure: false })).status).toBe(426);
  expect((await gateway.send(path, { method: 'DELETE' })).status).toBe(405);
});
