import { type LookupAnswer, LookupStatus } from '@cadastre/proto/objects';
import type { ObjectKey } from '@cadastre/proto/registry';
import { expect, test } from 'vitest';
import { lookUp, type ObjectsClient } from '../src/resources/references.js';

const role = (key: string): ObjectKey => ({ source: 'TEST', type: 'role', key });

test('requests what did not fit into the response again, and omits unreadable objects', async () => {
  const requested: string[] = [];
  const answerTo = (key: ObjectKey, position: number): LookupAnswer => {
    if (key.key === 'BAD-TEST') return { status: LookupStatus.LOOKUP_STATUS_UNREADABLE };
    if (position > 1) return { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN };
    const object = { ...key, text: `role: R\nnic-hdl: ${key.key}\n`, revision: 1, serial: 1n, contacts: [], tags: [] };
    return { status: LookupStatus.LOOKUP_STATUS_FOUND, object };
  };
  const objects: Pick<ObjectsClient, 'batchLookup'> = {
    batchLookup: async ({ lookups }) => {
      requested.push(lookups.map(({ key }) => key!.key).join());
      return { answers: lookups.map(({ key }, position) => answerTo(key!, position)) };
    },
  };
  const keys = ['A-TEST', 'B-TEST', 'C-TEST', 'BAD-TEST', 'D-TEST'];
  const loaded = await lookUp(objects as ObjectsClient, keys.map(role), {});
  expect(requested).toEqual(['A-TEST,B-TEST,C-TEST,BAD-TEST,D-TEST', 'C-TEST,D-TEST']);
  expect([...loaded.values()].map(({ id }) => id.key)).toEqual(['A-TEST', 'B-TEST', 'C-TEST', 'D-TEST']);
});
