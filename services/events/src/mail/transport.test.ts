import { MailStep } from '@cadastre/proto/events';
import { expect, test } from 'vitest';
import { MailFailure } from './transport.js';

const of = (responseCode: number, response: string, command = 'RCPT TO', code = 'EENVELOPE') =>
  Object.assign(new Error('refused'), { responseCode, response, command, code });

test.each<[string, Error, string, isPermanent: boolean]>([
  ['an unknown user', of(550, '550 5.1.1 <a@example.org>: Recipient address rejected'), 'recipient', true],
  ['an unknown user, without enhanced status', of(550, '550 No such user'), 'recipient', true],
  ['an unknown user of several lines', of(550, '550-5.1.1 The email account does not exist.'), 'recipient', true],
  ['a mailbox that moved', of(551, '551 User not local'), 'recipient', true],
  ['a name that is not allowed', of(553, '553 5.1.3 Bad address'), 'recipient', true],
  [
    'an unknown user of Exchange Online',
    of(550, '550 5.4.1 Recipient address rejected: Access denied'),
    'recipient',
    true,
  ],
  ['a disabled mailbox', of(550, '550 5.2.1 The email account is disabled'), 'recipient', true],
  ['a full mailbox', of(552, '552 5.2.2 Over quota'), 'refused', true],
  ['a full mailbox, with another code', of(550, '550 5.2.2 Mailbox full'), 'refused', true],
  ['a transaction that failed', of(554, '554 Transaction failed'), 'refused', true],
  ['a blocked client', of(550, '550 5.7.1 Service unavailable; client host blocked'), 'refused', true],
  ['greylisting', of(450, '450 4.2.0 Greylisted'), 'temporary', false],
  ['a refused sender', of(550, '550 5.1.8 Sender domain unknown', 'MAIL FROM'), 'refused', false],
  ['a mail that is too large', of(552, '552 5.3.4 Too large', 'MAIL FROM'), 'refused', true],
  ['a refused mail', of(554, '554 5.7.1 Spam', 'DATA', 'EMESSAGE'), 'refused', true],
  ['a user that is refused after the mail', of(550, '550 5.1.1 No such user', 'DATA', 'EMESSAGE'), 'recipient', true],
  ['a refused login', of(535, '535 5.7.8 Bad credentials', 'AUTH PLAIN', 'EAUTH'), 'refused', false],
  ['no server', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'connection', false],
  [
    'an address that no command can have',
    Object.assign(new Error('x'), { code: 'EENVELOPE', command: 'API' }),
    'refused',
    true,
  ],
])('%s', (_what, cause, expected, isPermanent) => {
  const failure = new MailFailure(cause);
  expect([failure.class, failure.isPermanent]).toEqual([expected, isPermanent]);
});

test.each<[string, object, MailStep]>([
  ['an unknown host', { code: 'EDNS', command: 'CONN' }, MailStep.MAIL_STEP_RESOLVE],
  ['a closed port', { code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, MailStep.MAIL_STEP_CONNECT],
  ['no connection', { code: 'ETIMEDOUT', timeoutType: 'CONNECT_TIMEOUT' }, MailStep.MAIL_STEP_CONNECT],
  ['no greeting', { code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }, MailStep.MAIL_STEP_SESSION],
  ['a closed connection', { code: 'ECONNECTION', command: 'CONN' }, MailStep.MAIL_STEP_SESSION],
  ['no reply in time', {}, MailStep.MAIL_STEP_SESSION],
  ['no answer to TLS', { code: 'ETIMEDOUT', timeoutType: 'UPGRADE_TIMEOUT' }, MailStep.MAIL_STEP_TLS],
  ['another name', { code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, MailStep.MAIL_STEP_TLS],
  ['an old certificate', { code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, MailStep.MAIL_STEP_TLS],
  ['refused STARTTLS', { code: 'ETLS', command: 'STARTTLS', response: '454 no' }, MailStep.MAIL_STEP_TLS],
  ['a login without a common method', { code: 'EAUTH', command: 'API' }, MailStep.MAIL_STEP_LOGIN],
  ['a refused login', { code: 'EAUTH', command: 'AUTH PLAIN' }, MailStep.MAIL_STEP_LOGIN],
  ['a refused sender', { code: 'EENVELOPE', command: 'MAIL FROM' }, MailStep.MAIL_STEP_SENDER],
])('the step of %s', (_what, cause, step) => {
  expect(new MailFailure(Object.assign(new Error('failed'), cause)).step).toBe(step);
});
