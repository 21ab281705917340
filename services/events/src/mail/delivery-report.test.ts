import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import {
  absence,
  exchangeUnknown,
  eximUnknown,
  postfixDelayed,
  postfixUnknown,
} from '../../tests/returned-mails.fixture.js';
import { bounceClassOf } from './delivery-report.js';

const classOf = async (raw: string) => bounceClassOf(await PostalMime.parse(raw.replaceAll('\n', '\r\n')));
/** A report of Postfix with these fields of a recipient. */
const reporting = (fields: string) => {
  const own = /Final-Recipient:[\s\S]*?\n\n/;
  expect(postfixUnknown).toMatch(own);
  return postfixUnknown.replace(own, `Final-Recipient: rfc822; noc@example.org\n${fields}\n\n`);
};
const smtp = (reply: string) => `Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; ${reply}`;

test.each<[string, string, string]>([
  ['an unknown user, of Postfix', postfixUnknown, 'hard'],
  ['an unknown user, of Exim', eximUnknown, 'hard'],
  ['an unknown user, of Exchange', exchangeUnknown, 'hard'],
  ['a delay, of Postfix', postfixDelayed, 'soft'],
  ['an answer of somebody who is absent', absence, 'other'],
  ['given up after days', reporting('Action: failed\nStatus: 4.4.1'), 'soft'],
  ['a full mailbox', reporting('Action: failed\nStatus: 5.2.2'), 'soft'],
  ['a mail that is too large', reporting('Action: failed\nStatus: 5.3.4'), 'soft'],
  ['a policy', reporting('Action: failed\nStatus: 5.7.1'), 'soft'],
  ['an unknown domain', reporting('Action: failed\nStatus: 5.4.4'), 'hard'],
  ['a failure without a status', reporting('Action: failed'), 'soft'],
  ['no status of its own, but a policy in the reply', reporting(smtp('550 5.7.1 Spam')), 'soft'],
  ['no status of its own, but an unknown user in the reply', reporting(smtp('550-5.1.1 Unknown')), 'hard'],
  ['a status with a comment, on folded lines', reporting('Action:\n failed\nStatus: 5.1.1 (bad\n address)'), 'hard'],
  ['a delivery', reporting('Action: delivered\nStatus: 2.0.0'), 'other'],
  [
    'two recipients, one of which failed',
    reporting('Action: delayed\nStatus: 4.0.0\n\nAction: failed\nStatus: 5.1.1'),
    'hard',
  ],
  [
    'a report that somebody forwards',
    `Subject: look\nContent-Type: multipart/mixed; boundary="f"\n\n--f\nContent-Type: message/rfc822\n\n${postfixUnknown}\n--f--\n`,
    'other',
  ],
  ['a report that ends too early', postfixUnknown.slice(0, postfixUnknown.indexOf('Diagnostic-Code')), 'hard'],
  ['nothing', '', 'other'],
])('%s', async (_what, raw, expected) => {
  expect(await classOf(raw)).toBe(expected);
});
