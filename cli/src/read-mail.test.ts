import { expect, test } from 'vitest';
import { fieldOf, readMail } from './read-mail.js';

test.each([
  ['plain text', 'Subject: a\n\none\n\ntwo\n', 'one\n\ntwo\n'],
  ['lines that end with CR LF', 'Subject: a\r\n\r\none\r\n', 'one\r\n'],
  ['quoted-printable text', 'Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9 =3D so=\nft\n', 'café = soft\n'],
  ['base64 text', 'content-transfer-encoding: Base64\n\nR3LDvMOfZQo=\n', 'Grüße\n'],
  ['base64 that was cut', 'Content-Transfer-Encoding: base64\n\nabcde', 'abcde'],
  ['no text', 'Subject: a', ''],
])('reads %s', (_what, written, text) => {
  expect(readMail(written).text).toBe(text);
});

test.each([
  ['a', 'a'],
  ['a:\n b', 'a: b'],
  ['=?UTF-8?Q?Caf=C3=A9_Registry?= registry', 'Café Registry registry'],
  ['=?utf-8?B?WsO8cg==?=\n =?UTF-8?Q?ich?=', 'Zürich'],
  ['=?UTF-8?B?%%?=', '%%'],
])('a header field %j is %j', (written, value) => {
  expect(fieldOf(readMail(`To: x\nSubject: ${written}\nDate: y\n\nbody\n`), 'subject')).toBe(value);
});

test('the fields keep their order; lines that are none are left out', () => {
  const { fields } = readMail('To: a\nnonsense\nDate: 03:04\n\nx');
  expect(fields).toEqual([
    { name: 'To', value: 'a' },
    { name: 'Date', value: '03:04' },
  ]);
});
