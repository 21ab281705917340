import { type CreateObjectRequest, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import { type RoaConflict, RoaState } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
/** The states of the routes, in the order of the request; undefined when search does not answer. */
let states: readonly RoaState[] | undefined;
let conflicts: readonly RoaConflict[];
let validated: string[];
let created: CreateObjectRequest[];

const conflict = (route: number, prefix: string, maxLength: number, origin: number) => ({
  ...{ route, prefix, maxLength, origin },
});

beforeAll(async () => {
  gateway = await startGateway({
    auth: exampleAuth,
    reader: exampleReader,
    writer: {
      createObject: async (request) => {
        created.push(request);
        return { result: storedAs(WriteOutcome.WRITE_OUTCOME_CREATED) };
      },
      deleteObject: async () => ({ result: storedAs(WriteOutcome.WRITE_OUTCOME_DELETED) }),
      applyChanges: async ({ changes }) => ({
        results: changes.map(() => storedAs(WriteOutcome.WRITE_OUTCOME_CREATED)),
      }),
    },
    roa: {
      batchValidateRoutes: async ({ routes }) => {
        validated.push(...routes.map(({ prefix, origin }) => `${prefix} ${origin}`));
        if (states === undefined) throw new ServiceError('unavailable', 'search is away');
        return { states: [...states], conflicts: [...conflicts] };
      },
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  states = [RoaState.ROA_STATE_INVALID, RoaState.ROA_STATE_INVALID];
  conflicts = [conflict(0, '192.0.0.0/16', 24, 64511)];
  validated = [];
  created = [];
});

function storedAs(outcome: WriteOutcome): WriteResult {
  const text = 'route:          192.0.2.0/25\norigin:         AS64500\nsource:         TEST\n';
  const object = { source: 'TEST', type: 'route', key: '192.0.2.0/25AS64500', text, revision: 1, serial: 1n };
  return { outcome, object: { ...object, contacts: [], tags: [] }, messages: [], serial: 9n };
}

const attributes = (type: string, key: string, origin = 'AS64500', name = 'origin') => ({
  attributes: {
    attribute: [
      { name: type, value: key },
      { name, value: origin },
      { name: 'source', value: 'TEST' },
    ],
  },
});
const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Basic good' };
const send = async (path: string, ...object: object[]) => {
  const body = JSON.stringify({ objects: { object } });
  const received = await gateway.send(path, { method: 'POST', headers, body });
  return { status: received.status, document: JSON.parse(received.text) };
};
const textOf = ({ severity, text, args }: { severity: string; text: string; args: { value: string }[] }) =>
  `${severity}: ${(args ?? []).reduce((filled, { value }) => filled.replace(/%[sd]/, value), text)}`;
const saidBy = async (path: string, ...objects: object[]) =>
  (await send(path, ...objects)).document.errormessages?.errormessage.map(textOf) ?? [];

const invalid = 'Warning: ROA invalid: AS64511 may originate 192.0.0.0/16, at most /24';

describe('a route that is created', () => {
  const { ROA_STATE_VALID, ROA_STATE_INVALID, ROA_STATE_NOT_FOUND, ROA_STATE_UNSPECIFIED } = RoaState;

  it.each<[string, RoaState | undefined, RoaConflict[], string[], string[]]>([
    ['invalid', ROA_STATE_INVALID, [conflict(0, '192.0.0.0/16', 24, 64511)], [invalid], [invalid]],
    [
      'invalid by a ROA for nobody',
      ROA_STATE_INVALID,
      [conflict(0, '192.0.0.0/16', 16, 0)],
      ['Warning: ROA invalid: nobody may originate 192.0.0.0/16'],
      ['Warning: ROA invalid: nobody may originate 192.0.0.0/16'],
    ],
    [
      'invalid, by a search service that does not say why',
      ROA_STATE_INVALID,
      [],
      ['Warning: ROA invalid'],
      ['Warning: ROA invalid'],
    ],
    ['valid', ROA_STATE_VALID, [], ['Info: ROA valid: AS64500 may originate this prefix'], []],
    ['without a ROA', ROA_STATE_NOT_FOUND, [], ['Info: No ROA covers this prefix'], []],
    ['not checked', ROA_STATE_UNSPECIFIED, [], [], []],
    ['not checked, because search is away', undefined, [], [], []],
  ])('%s', async (_what, state, reasons, tried, made) => {
    states = state === undefined ? undefined : [state];
    conflicts = reasons;
    const route = attributes('route', '192.0.2.0/25');
    expect(await saidBy('/TEST/route?dry-run', route)).toEqual(tried);
    expect(await saidBy('/TEST/route', route)).toEqual(made);
    expect(created).toHaveLength(2);
  });

  it('is checked as the registry reads it', async () => {
    await send('/TEST/route', attributes('route', ' 192.0.2.0/25 # a comment', 'as64500 # another'));
    await send('/TEST/route6', attributes('ROUTE6', '2001:db8::/32'));
    expect(validated).toEqual(['192.0.2.0/25 AS64500', '2001:db8::/32 AS64500']);
  });

  it('has the warning at its origin', async () => {
    const { document } = await send('/TEST/route', attributes('route', '192.0.2.0/25'));
    expect(document.errormessages.errormessage[0].attribute).toEqual({ name: 'origin', value: 'AS64500' });
  });
});

it.each([
  ['other objects', '/TEST/mntner', attributes('mntner', 'EXAMPLE-MNT')],
  ['routes without an origin', '/TEST/route', attributes('route', '192.0.2.0/25', 'x', 'descr')],
  ['very long texts', '/TEST/route', attributes('route', '1'.repeat(201))],
])('%s are not compared with ROAs', async (_what, path, object) => {
  expect(await saidBy(path, object)).toEqual([]);
  expect(validated).toEqual([]);
});

it('a deletion has no warning', async () => {
  const { status, text } = await gateway.send('/TEST/route/192.0.2.0%2F25AS64500', { method: 'DELETE', headers });
  expect([status, text.includes('ROA'), validated]).toEqual([200, false, []]);
});

it('each route of a batch has its own', async () => {
  const deletion = { action: 'DELETE', ...attributes('route', '198.51.100.0/24') };
  const routes = [attributes('route', '192.0.2.0/25'), attributes('route', '203.0.113.0/24', 'AS64511')];
  states = [RoaState.ROA_STATE_VALID, RoaState.ROA_STATE_INVALID];
  conflicts = [conflict(1, '203.0.113.0/24', 24, 0)];
  const { document } = await send('/batch/TEST?dry-run', deletion, routes[0]!, attributes('mntner', 'A'), routes[1]!);
  const said = document.results.result.map(
    (one: { objectmessages?: { objectmessage: Parameters<typeof textOf>[0][] } }) =>
      one.objectmessages?.objectmessage.map(textOf) ?? [],
  );
  expect(said).toEqual([
    [],
    ['Info: ROA valid: AS64500 may originate this prefix'],
    [],
    ['Warning: ROA invalid: nobody may originate 203.0.113.0/24'],
  ]);
});

it('text updates have it in their report', async () => {
  const text = 'route: 192.0.2.0/25\norigin: AS64500\nsource: TEST\n';
  const received = await gateway.send('/syncupdates/TEST?dry-run', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/plain' },
    body: text,
  });
  expect(received.text).toContain('***Warning: ROA invalid: AS64511 may originate 192.0.0.0/16, at most /24');
});
