import { EmailMark, EmailMarkServiceService } from '@cadastre/proto/objects';
import type { ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import { beforeAll, expect, test } from 'vitest';
import { emailMarkHandlers } from '../src/rpc/email-marks.js';
import { useContext } from './test-context.js';
import { bob, edited, person, startRegistry, writerOf } from './write-context.js';

const setup = useContext();
const marks = () => inMemoryClient(EmailMarkServiceService, emailMarkHandlers(setup.context));
const writer = () => writerOf(setup.context);
const {
  EMAIL_MARK_UNSPECIFIED: any,
  EMAIL_MARK_EXCLUDED: excluded,
  EMAIL_MARK_UNDELIVERABLE: undeliverable,
  EMAIL_MARK_UNSUBSCRIBED: unsubscribed,
} = EmailMark;
const listed = async (mark = any, limit = 0, after = '') =>
  (await marks().listMarkedEmails({ mark, after, limit })).emails.map((one) => [one.address, one.mark]);

beforeAll(() => startRegistry(setup.context));

test('marks count from the next write until they are removed', async () => {
  const object = edited(person, {
    'nic-hdl': 'AUTO-1',
    'e-mail': 'Hostmaster@Example.net',
    notify: 'told@example.net',
  });
  const create = async (by?: typeof bob) => (await writer().create(object, by, true)).messages.slice(0, -1);
  expect(await create()).toEqual([]);
  await marks().markEmails({ addresses: ['hostmaster@example.net'], mark: excluded });
  await marks().markEmails({ addresses: ['told@example.net'], mark: undeliverable });
  const notNotified = 'W Not sending notification to told@example.net because it is undeliverable.';
  expect(await create()).toEqual(['E The email address "Hostmaster@Example.net" cannot be used.', notNotified]);
  expect(await create(bob)).not.toContain(notNotified);
  await marks().unmarkEmails({ addresses: ['hostmaster@example.net'], mark: excluded });
  expect(await create()).toEqual([notNotified]);
  await marks().unmarkEmails({ addresses: ['told@example.net'], mark: undeliverable });
});

test('an address may have several marks, each once', async () => {
  setup.clock.set('2026-03-01T00:00:00Z');
  const addresses = ['B@example.net', 'a@example.net', 'b@EXAMPLE.net'];
  expect(await marks().markEmails({ addresses, mark: unsubscribed })).toEqual({ changed: 2 });
  expect(await marks().markEmails({ addresses, mark: unsubscribed })).toEqual({ changed: 0 });
  expect(await marks().markEmails({ addresses: ['b@example.net'], mark: excluded })).toEqual({ changed: 1 });
  const { emails } = await marks().listMarkedEmails({ mark: any, after: '', limit: 0 });
  expect(emails[0]).toEqual({ address: 'a@example.net', mark: unsubscribed, marked: new Date('2026-03-01T00:00:00Z') });
  expect(await listed()).toEqual([
    ['a@example.net', unsubscribed],
    ['b@example.net', excluded],
    ['b@example.net', unsubscribed],
  ]);
  expect(await listed(excluded)).toEqual([['b@example.net', excluded]]);
  expect(await marks().unmarkEmails({ addresses, mark: excluded })).toEqual({ changed: 1 });
});

test('pages end with the start of the next page', async () => {
  const first = await marks().listMarkedEmails({ mark: any, after: '', limit: 1 });
  expect([first.emails.map(({ address }) => address), first.next]).toEqual([['a@example.net'], 'a@example.net']);
  expect(await listed(any, 1, first.next)).toEqual([['b@example.net', unsubscribed]]);
  expect((await marks().listMarkedEmails({ mark: any, after: 'b@example.net', limit: 1 })).next).toBe('');
});

test.each<[string, string[], EmailMark]>([
  ['no address', [], excluded],
  ['what is no address', ['good@example.net', 'bad'], excluded],
  ['no mark', ['good@example.net'], any],
  ['a mark of the future', ['good@example.net'], 99 as EmailMark],
  ['too many', Array.from({ length: 1001 }, (_, at) => `a${at}@example.net`), excluded],
])('is refused without a change: %s', async (_, addresses, mark) => {
  const before = await listed();
  await expect(marks().markEmails({ addresses, mark })).rejects.toMatchObject({ kind: 'invalid' } as ServiceError);
  await expect(marks().unmarkEmails({ addresses, mark })).rejects.toMatchObject({ kind: 'invalid' });
  expect(await listed()).toEqual(before);
});
