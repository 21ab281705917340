import { NotificationSection, type NotifiedChange, NotifiedOperation } from '@cadastre/proto/objects';
import { describe, expect, test } from 'vitest';
import { change, notification } from '../../tests/outbox.fixture.js';
import { bodyOf } from './body.js';
import { composeMail } from './compose.js';
import { pauseAfter } from './send-mails.js';

const registry = {
  name: 'EXAMPLE',
  baseUrl: 'https://r.example',
  from: 'noreply@r.example',
  termsUrl: 'https://r.example/terms',
  version: '1.2.3',
};
const {
  NOTIFIED_OPERATION_CREATE: create,
  NOTIFIED_OPERATION_MODIFY: modify,
  NOTIFIED_OPERATION_DELETE: remove,
} = NotifiedOperation;
const { NOTIFICATION_SECTION_REFUSED: refused, NOTIFICATION_SECTION_REFERENCED: referenced } = NotificationSection;
const body = (...changes: NotifiedChange[]) => bodyOf(notification({ changes }), registry, 'https://r.example/u');
const block = (text: string) => `>>>>>\n${text}<<<<<\n`;
const before = 'person: A\nremarks: one\nremarks: two\nremarks: three\nsource: TEST\n';
const after = 'person: A\nremarks: one\nremarks: 2\nremarks: three\nsource: TEST\n';
const diff = '@@ -2,3 +2,3 @@\n remarks: one\n-remarks: two\n+remarks: 2\n remarks: three\n';
const texts = { type: 'person', key: 'a-test', textBefore: before, textAfter: after };

test.each<[string, Partial<NotifiedChange>, string]>([
  ['a new object', { operation: create, textBefore: '' }, `OBJECT BELOW CREATED:\n\n${block(after)}`],
  [
    'a new state, with its differences',
    { operation: modify },
    `OBJECT BELOW MODIFIED:\n\n${block(diff)}\nTHIS IS THE NEW VERSION OF THE OBJECT:\n\n${block(after)}`,
  ],
  [
    'a deletion with its reason',
    { operation: remove, textAfter: '', reason: 'moved' },
    `OBJECT BELOW DELETED:\n\n${block(before)}\n***Info:    moved\n`,
  ],
  [
    'a refused new object',
    { section: refused, operation: create, textBefore: '' },
    `CREATE REQUESTED FOR:\n\n${block(after)}`,
  ],
  [
    'a refused new state: the stored object, and what was wanted',
    { section: refused, operation: modify },
    `MODIFY REQUESTED FOR:\n\n${block(before)}\nOBJECT MODIFICATION REQUESTED:\n\n${block(diff)}`,
  ],
  [
    'a refused deletion',
    { section: refused, operation: remove, textAfter: '' },
    `DELETE REQUESTED FOR:\n\n${block(before)}`,
  ],
  ['differences that are hidden', { textAfter: before }, block('(only hidden values are different)\n')],
  ['texts that are too large', { textBefore: '', textAfter: '' }, 'person a-test\nThe texts are too large'],
])('%s', (_what, more, expected) => {
  expect(body(change({ ...texts, ...more }))).toContain(`---\n`);
  expect(body(change({ ...texts, ...more }))).toContain(expected);
});

test('large differences are not computed', () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `remarks: ${word} ${at}\n`).join('');
  expect(body(change({ ...texts, textBefore: lines('a'), textAfter: lines('b') }))).toContain('(too many differences)');
});

test('a long reason is folded at 80 characters and indented by 12', () => {
  const reason = `${'word '.repeat(30)}${'x'.repeat(100)}`;
  const text = body(change({ ...texts, operation: remove, textAfter: '', reason }));
  const lines = text.slice(text.indexOf('***Info:')).split('\n~')[0]!.trimEnd().split('\n');
  expect(lines.map((line) => line.length).every((length) => length <= 80)).toBe(true);
  expect(lines.slice(1).every((line) => line.startsWith(' '.repeat(12)))).toBe(true);
  expect(
    lines
      .map((line) => line.slice(12))
      .join(' ')
      .replaceAll(/x x/g, 'xx'),
  ).toBe(reason);
});

test('the sections come in order, each with its entries', () => {
  const parts = body(
    change({ section: referenced, key: 'three' }),
    change({ key: 'two' }),
    change({ section: refused, key: 'one' }),
    change({ key: 'four' }),
  ).split(`${'~'.repeat(72)}\n`);
  expect(parts.slice(1, 4).map((part) => [part.split('\n')[0], part.split('\n---\n').length - 1])).toEqual([
    ['Some changes were REFUSED, because the request had no authority for them.', 1],
    ['Some objects in which you are listed for notifications were changed.', 2],
    ['References to objects in which you are listed for notifications were added or', 1],
  ]);
});

test('modified objects lead to their previous version, but not persons', () => {
  const link = 'https://r.example/TEST/route/192.0.2.0%2F24as64500/versions/1';
  expect(body(change())).toContain(`The previous version: ${link}\n`);
  expect(body(change(texts))).not.toContain('previous version');
});

test('who made the change and how to unsubscribe is said when it is known', () => {
  const text = body(change());
  expect(text).toContain(
    'Changed by:     alice@example.net\nSource:         TEST\nDate/Time:      2026-01-02 03:04:05 UTC\n',
  );
  expect(text).toContain('To get no more of these messages: https://r.example/u\n');
  const silent = { ...registry, baseUrl: undefined };
  expect(bodyOf(notification({ changedBy: '' }), silent, undefined)).not.toMatch(/Changed by|no more|https/);
});

test('key-certs that proved the change are linked', () => {
  const changedBy = 'alice@example.net (OAuth), PGPKEY-48C3FC51, X509-1';
  const text = (baseUrl?: string) => bodyOf(notification({ changedBy }), { ...registry, baseUrl }, undefined);
  expect(text('https://r.example')).toContain(
    `Changed by:     ${changedBy}
Key:            https://r.example/TEST/key-cert/PGPKEY-48C3FC51
Key:            https://r.example/TEST/key-cert/X509-1
Source:         TEST
`,
  );
  expect(text()).toContain(`Changed by:     ${changedBy}\nSource:         TEST\n`);
});

test('the subject tells of refusals; without a public URL there is no link to unsubscribe', () => {
  const mail = composeMail(notification({ changes: [change(), change({ section: refused })] }), {
    ...registry,
    baseUrl: undefined,
  });
  expect(mail.subject).toBe('EXAMPLE database updates, auth error notification');
  const listId = '<test.notifications.r.example>';
  expect(mail.headers).toEqual({ 'Auto-Submitted': 'auto-generated', Precedence: 'bulk', 'List-Id': listId });
});

test('the host of the client stands above who made the change', () => {
  const text = bodyOf(notification({ clientAddress: '192.0.2.7' }), registry, undefined);
  expect(text).toContain('From-Host:      192.0.2.7\nChanged by:     alice@example.net\n');
  expect(body(change())).not.toContain('From-Host');
});

test('the end names terms and software', () => {
  expect(body(change())).toMatch(/Terms and conditions: https:\/\/r\.example\/terms\nCadastre 1\.2\.3\n$/);
});

describe('large texts', () => {
  const long = `person: A\n${'remarks: some words\n'.repeat(8_000)}source: TEST\n`;

  test('are cut after a whole line, with a link to the object', () => {
    const text = body(change({ ...texts, operation: create, textBefore: '', textAfter: long }));
    const shown = text.slice(text.indexOf('>>>>>\n') + 6, text.indexOf('<<<<<'));
    expect(shown.length).toBeGreaterThan(99_900);
    expect(shown.length).toBeLessThanOrEqual(100_000);
    expect(shown.endsWith('remarks: some words\n')).toBe(true);
    expect(text).toContain(
      `(cut after ${shown.length} of ${long.length} characters: https://r.example/TEST/person/a-test)`,
    );
  });

  test('of one line are cut too', () => {
    const text = body(change({ ...texts, operation: create, textBefore: '', textAfter: 'x'.repeat(150_000) }));
    expect(text).toContain('(cut after 100000 of 150000 characters');
  });

  test('have a million characters together; later changes show only their keys', () => {
    const many = Array.from({ length: 20 }, (_, at) =>
      change({ ...texts, key: `a${at}-test`, operation: create, textBefore: '', textAfter: long }),
    );
    const text = body(...many);
    expect(text.length).toBeLessThan(1_010_000);
    expect(text.match(/>>>>>/g)).toHaveLength(9);
    expect(text).toContain(
      'person a19-test\nThe texts are too large for this message: https://r.example/TEST/person/a19-test\n',
    );
  });
});

test.each<[string, readonly (bigint | undefined)[], string | undefined]>([
  ['one change', [4711n], '4711'],
  ['several changes', [4713n, 4711n, 4712n], '4711-4713'],
  ['refusals only', [undefined], undefined],
])('serials of %s', (_what, serials, expected) => {
  const { headers } = composeMail(notification({ changes: serials.map((serial) => change({ serial })) }), registry);
  expect((headers as Record<string, string>)['X-Registry-Serial']).toBe(expected);
});

test('mails come back to the registry, and mail programs unsubscribe by a link', () => {
  const mail = composeMail(notification(), registry);
  expect(mail.envelope).toMatchObject({ from: 'noreply@r.example' });
  expect(mail.headers).toMatchObject({
    'List-Unsubscribe': `<https://r.example/notifications/unsubscribe/${notification().unsubscribeToken}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

test('a mail that asks for the confirmation has links, and nothing that an account chose', () => {
  const chosen = { replyTo: 'spam@example.net', changedBy: 'spam@example.net', clientAddress: '192.0.2.9' };
  const more = { ...chosen, confirms: true, changes: [change({ textAfter: 'spam', reason: 'spam', key: 'spam' })] };
  const mail = composeMail(notification(more), registry);
  expect(mail.subject).toBe('Confirm that you want mails of the EXAMPLE database');
  const token = notification().unsubscribeToken;
  for (const page of ['confirm', 'unsubscribe']) {
    expect(mail.text).toContain(`https://r.example/notifications/${page}/${token}\n`);
  }
  const { replyTo, headers, ...shown } = mail;
  expect(JSON.stringify([shown, headers])).not.toMatch(/spam|192\.0\.2\.9/);
  expect(replyTo).toBeUndefined();
});

test('pauses grow to an hour and end after two days', () => {
  expect([1, 2, 3, 4, 5, 52, 53].map(pauseAfter)).toEqual([10, 60, 300, 1_800, 3_600, 3_600, undefined]);
});
