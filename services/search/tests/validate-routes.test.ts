import { RoaServiceService, RoaState } from '@cadastre/proto/search';
import { conflictFinder, routeValidator } from '@cadastre/roa';
import { indexOfRoas } from '@cadastre/roa/testing';
import { inMemoryClient } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { batchValidateRoutes } from '../src/rpc/validate-routes.js';

const roas = indexOfRoas('AS64500 192.0.2.0/24', 'AS64501 2001:db8::/32');
const clientWith = (payloads: typeof roas | undefined) =>
  inMemoryClient(RoaServiceService, {
    batchValidateRoutes: batchValidateRoutes({
      validateRoute: routeValidator(() => payloads),
      findConflict: conflictFinder(() => payloads),
    }),
  });
const route = (prefix: string, origin: string) => ({ prefix, origin });

test('returns the state of each route, in the order of the request, and why a route is invalid', async () => {
  const routes = [
    route('198.51.100.0/24', 'AS64500'),
    route('192.0.2.0/24', 'AS64500'),
    route('192.0.2.0/25', 'AS64500'),
    route('2001:db8::/32', 'AS64501'),
    route('nonsense', ''),
  ];
  const { states, conflicts } = await clientWith(roas).batchValidateRoutes({ routes });
  expect(conflicts).toEqual([{ route: 2, prefix: '192.0.2.0/24', maxLength: 24, origin: 64500 }]);
  expect(states).toEqual([
    RoaState.ROA_STATE_NOT_FOUND,
    RoaState.ROA_STATE_VALID,
    RoaState.ROA_STATE_INVALID,
    RoaState.ROA_STATE_VALID,
    RoaState.ROA_STATE_UNSPECIFIED,
  ]);
});

test('knows no state without payloads', async () => {
  const answer = await clientWith(undefined).batchValidateRoutes({ routes: [route('192.0.2.0/24', 'AS64500')] });
  expect(answer).toEqual({ states: [RoaState.ROA_STATE_UNSPECIFIED], conflicts: [] });
});

test('refuses more than 1,000 routes', async () => {
  const routes = Array.from({ length: 1001 }, () => route('192.0.2.0/24', 'AS64500'));
  await expect(clientWith(roas).batchValidateRoutes({ routes })).rejects.toMatchObject({ kind: 'invalid' });
});
