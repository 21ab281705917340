import { type GetStorageUseRequest, type StorageUse, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import { Severity } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const { WRITE_OUTCOME_CREATED: created, WRITE_OUTCOME_SKIPPED: skipped } = WriteOutcome;
const { WRITE_OUTCOME_DAY_QUOTA: dayQuota, WRITE_OUTCOME_MNTNER_QUOTA: mntnerQuota } = WriteOutcome;

/** A day that does not end while the tests run. */
const resets = new Date(Date.now() + 10 * 86_400_000);
const message = { severity: Severity.SEVERITY_ERROR, text: '%s has stored %s bytes', args: ['alice@example.net', '7'] };

let outcomes: WriteOutcome[] = [];
let storageToday: StorageUse | undefined;
let use: () => Promise<{ today?: StorageUse; mntners: Record<string, StorageUse> }>;
let requested: GetStorageUseRequest | undefined;
let gateway: RunningGateway;

function resultOf(outcome: WriteOutcome): WriteResult {
  const messages = outcome === dayQuota || outcome === mntnerQuota ? [message] : [];
  return { outcome, object: mntner, messages, serial: outcome === created ? 42n : 0n };
}

beforeAll(async () => {
  gateway = await startGateway({
    reader: {
      ...exampleReader,
      listOwnMaintainers: async () => ({
        maintainers: ['EXAMPLE-MNT', 'WIDE-MNT'].map((key) => ({ source: 'TEST', type: 'mntner', key })),
        incomplete: false,
      }),
    },
    auth: exampleAuth,
    writer: {
      createObject: async () => ({ result: resultOf(outcomes[0]!), storageToday }),
      updateObject: async () => ({ result: resultOf(outcomes[0]!), storageToday }),
      applyChanges: async () => ({ results: outcomes.map(resultOf), storageToday }),
      getStorageUse: (request) => {
        requested = request;
        return use();
      },
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  storageToday = { used: 1_500n, limit: 50_000_000n, resets };
  use = async () => ({ today: storageToday!, mntners: { 'EXAMPLE-MNT': { used: 7n, limit: 1_000_000_000n } } });
});

const headers = { authorization: 'Basic good', accept: 'application/json', 'content-type': 'application/json' };
const one = { attributes: { attribute: [{ name: 'as-set', value: 'AS-NEW' }] } };
const body = JSON.stringify({ objects: { object: [one] } });
const write = (method: string, path: string) => gateway.send(path, { method, headers, body });

describe('a write', () => {
  it.each([
    ['POST', '/TEST/as-set'],
    ['PUT', '/TEST/mntner/EXAMPLE-MNT'],
    ['POST', '/batch/TEST'],
  ])('%s %s tells what is left of the day', async (method, path) => {
    outcomes = [created];
    const received = await write(method, path);
    expect(received.headers.ratelimit).toMatch(/"storage";r=49998500;t=\d{6}$/);
    expect(received.headers['ratelimit-policy']).toMatch(/"storage";q=50000000;w=86400;qu="content-bytes"$/);
  });

  it('tells nothing without a limit', async () => {
    outcomes = [created];
    storageToday = undefined;
    expect((await write('POST', '/TEST/as-set')).headers.ratelimit ?? '').not.toContain('storage');
  });

  it.each<[string, WriteOutcome[], number]>([
    ['the day', [dayQuota], 429],
    ['the day in a group', [skipped, dayQuota], 429],
    ['a mntner', [mntnerQuota], 403],
    ['a mntner in a group', [mntnerQuota, skipped], 403],
  ])('beyond the bound of %s is refused in the requested format', async (_, refused, status) => {
    outcomes = refused;
    storageToday = { used: 60_000_000n, limit: 50_000_000n, resets };
    const received = await write('POST', refused.length > 1 ? '/batch/TEST' : '/TEST/as-set');
    expect(received.status).toBe(status);
    expect(JSON.parse(received.text).errormessages.errormessage).toMatchObject([{ text: message.text }]);
    expect(received.headers.ratelimit).toContain('"storage";r=0;');
    const wait = received.headers['retry-after'];
    expect(wait === undefined ? undefined : Number(wait) > 86_400).toBe(status === 429 ? true : undefined);
  });

  it('of text names the refusal in the report', async () => {
    outcomes = [dayQuota];
    const text = { authorization: 'Basic good', 'content-type': 'text/plain' };
    const sent = { method: 'POST', headers: text, body: 'as-set: AS-NEW\nsource: TEST\n' };
    const received = await gateway.send('/syncupdates/TEST', sent);
    expect(received.text).toContain('alice@example.net has stored 7 bytes');
    expect(received.headers.ratelimit).toContain('"storage";r=49998500;');
  });
});

describe('what was stored', () => {
  it('is among the limits of the client', async () => {
    const received = await gateway.send('/metadata/limits.json', { headers: { authorization: 'Basic good' } });
    const limits: { name: string }[] = JSON.parse(received.text).limits.limit;
    expect(limits.find(({ name }) => name === 'storage')).toEqual({
      ...{ name: 'storage', most: 50_000_000, used: 1_500, remaining: 49_998_500, seconds: 86_400 },
      resets: `${resets.toISOString().slice(0, 19)}Z`,
    });
    expect(requested).toMatchObject({ principal: { accountId: '1' }, clientAddress: '127.0.0.1', mntners: [] });
  });

  it('is beside each mntner of the account that has a limit', async () => {
    const received = await gateway.send('/session/maintainers', { headers: { authorization: 'Basic good' } });
    expect(JSON.parse(received.text).maintainers).toEqual([
      { source: 'TEST', key: 'EXAMPLE-MNT', storage: { used: 7, most: 1_000_000_000 } },
      { source: 'TEST', key: 'WIDE-MNT' },
    ]);
    expect(requested?.mntners).toEqual(['EXAMPLE-MNT', 'WIDE-MNT']);
  });

  it('is left out while the objects service is away', async () => {
    use = async () => {
      throw new ServiceError('unavailable', 'away');
    };
    const received = await gateway.send('/metadata/limits.json');
    expect([received.status, received.text.includes('storage')]).toEqual([200, false]);
  });
});
