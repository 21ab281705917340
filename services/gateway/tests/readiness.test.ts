import { ServiceError } from '@cadastre/service';
import { afterEach, expect, test } from 'vitest';
import { type Backends, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway | undefined;
afterEach(() => gateway?.stop());

type ListSources = NonNullable<NonNullable<Backends['reader']>['listSources']>;

test.each<[string, ListSources, number]>([
  ['answers', exampleReader!.listSources!, 200],
  // Every gateway gets this answer while the database fails over: without a ready one, clients could not even connect.
  ['answers that its database is unavailable', () => Promise.reject(new ServiceError('unavailable', 'away')), 200],
  ['answers with a failure', () => Promise.reject(new ServiceError('internal', 'broken')), 503],
  ['does not answer', () => new Promise(() => {}), 503],
])('when objects %s, readiness shows whether the gateway can reach it', async (_, listSources, status) => {
  const env = { CADASTRE_OPERATIONS: '127.0.0.1:0', CADASTRE_GATEWAY_DEADLINES: 'read=100ms' };
  gateway = await startGateway({ reader: { listSources } }, env);
  expect((await fetch(`http://${gateway.gateway.operationsAddress()}/ready`)).status).toBe(status);
});
