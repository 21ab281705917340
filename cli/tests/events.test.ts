import {
  type Notification,
  NotificationSection,
  NotificationServiceService,
  NotificationState,
  NotifiedOperation,
} from '@cadastre/proto/objects';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cadastre, fake, startFakeRegistry } from './fake-registry.js';

const at = new Date('2026-01-02T03:04:05Z');
const waiting: Notification = {
  ...{ id: 7n, address: 'noc@example.net', source: 'TEST', state: NotificationState.NOTIFICATION_STATE_WAITING },
  ...{ attempts: 1, instant: at, due: at, error: 'no answer', changedBy: 'jo@example.net', replyTo: '' },
  ...{ unsubscribeToken: '', clientAddress: '192.0.2.1', confirms: false },
  changes: [
    {
      ...{ section: NotificationSection.NOTIFICATION_SECTION_CHANGED, type: 'person', key: 'aa1-test' },
      ...{ operation: NotifiedOperation.NOTIFIED_OPERATION_DELETE, revisionBefore: 1, revisionAfter: 0, serial: 9n },
      ...{ textBefore: 'person: A\n', textAfter: '', reason: 'left\u001b[31m' },
    },
  ],
};
const sent: Notification = {
  ...{ ...waiting, id: 8n, state: NotificationState.NOTIFICATION_STATE_SENT, error: '', changedBy: '' },
  ...{ clientAddress: undefined, changes: [] },
};
const requested: unknown[] = [];
let registry: Awaited<ReturnType<typeof startFakeRegistry>>;

beforeAll(async () => {
  registry = await startFakeRegistry([
    fake(NotificationServiceService, {
      listNotifications: async (request) => {
        requested.push(request);
        return { notifications: [request.after === 0n ? waiting : sent], next: request.after === 0n ? 7n : 0n };
      },
      getNotification: async ({ id }) => ({ notification: id === 7n ? waiting : sent }),
    }),
  ]);
});
afterAll(() => registry.stop());
beforeEach(() => {
  requested.length = 0;
});

const run = (...args: string[]) => cadastre(['events', ...args], registry.env);

test('list has the notifications of all pages, and requests no more than --limit', async () => {
  const { stdout } = await run('list', '--state', 'failed');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ID', 'ADDRESS', 'STATE', 'WRITTEN', 'ATTEMPTS', 'ERROR'],
    ['7', 'noc@example.net', 'waiting', '2026-01-02T03:04:05Z', '1', 'no answer'],
    ['8', 'noc@example.net', 'sent', '2026-01-02T03:04:05Z', '1'],
    [''],
  ]);
  const state = NotificationState.NOTIFICATION_STATE_FAILED;
  expect(requested.splice(0)).toEqual([
    { state, after: 0n, limit: 0 },
    { state, after: 7n, limit: 0 },
  ]);
  expect(JSON.parse((await run('list', '--limit', '1', '--json')).stdout)).toMatchObject([{ id: 7 }]);
  expect(requested).toEqual([{ state: NotificationState.NOTIFICATION_STATE_UNSPECIFIED, after: 0n, limit: 1 }]);
});

test('show has the known facts about a notification, and its changes', async () => {
  expect((await run('show', '7')).stdout).toBe(`id:         7
address:    noc@example.net
state:      waiting
written:    2026-01-02T03:04:05Z
attempts:   1
due:        2026-01-02T03:04:05Z
changed by: jo@example.net
from host:  192.0.2.1
error:      no answer

--- person aa1-test: left\\x1b[31m
before:
person: A

`);
  expect((await run('show', '8')).stdout).not.toMatch(/due|by|host|others|error|---/);
});

test('show --json has the same, with the names of the list', async () => {
  const { code, stdout } = await run('show', '7', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      ...{ id: 7, address: 'noc@example.net', state: 'waiting', written: at.toISOString(), attempts: 1 },
      ...{ due: at.toISOString(), changedBy: 'jo@example.net', fromHost: '192.0.2.1' },
      error: 'no answer',
      changes: [{ type: 'person', key: 'aa1-test', reason: 'left\u001b[31m', before: 'person: A\n', after: null }],
    },
  ]);
  expect(stdout).not.toContain('\u001b');
  expect(JSON.parse((await run('show', '8', '--json')).stdout)).toMatchObject({ due: null, error: null, changes: [] });
});
