import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeBody, readContentType } from './content-type.js';
import { refusedBy } from './refused.fixture.js';

it.each([
  ['application/xml', { format: 'xml', charset: undefined }],
  ['application/json', { format: 'json', charset: undefined }],
  ['Application/JSON; charset=UTF-8', { format: 'json', charset: 'UTF-8' }],
  ['application/xml;charset="iso-8859-1"', { format: 'xml', charset: 'iso-8859-1' }],
  ['application/xml; version=1 ; charset = latin1', { format: 'xml', charset: 'latin1' }],
])('Content-Type %s is accepted', (header, type) => {
  expect(readContentType(header)).toEqual(type);
});

it.each([undefined, '', ' ', 'text/xml', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', '__proto__'])(
  'Content-Type %s is refused with 415 (F4)',
  (header) => {
    expect(refusedBy(() => readContentType(header)).status).toBe(415);
  },
);

const json = (charset?: string) => ({ format: 'json' as const, charset });
const xml = (charset?: string) => ({ format: 'xml' as const, charset });
const text = 'Müllerstraße Łódź €';
const latin = 'Müllerstraße';

describe('the declared character set is honoured', () => {
  it.each([
    ['utf-8', text],
    ['UTF8', text],
    ['latin1', latin],
    ['ISO-8859-1', latin],
    ['windows-1252', `${latin} €`],
    ['iso-8859-2', 'Łódź'],
    ['iso-8859-15', `${latin} €`],
    ['utf-16le', text],
    ['utf-16be', text],
    ['utf-32le', text],
    ['utf-32be', text],
    ['us-ascii', 'Muellerstrasse'],
    ['shift_jis', '東京'],
  ])('%s', (charset, sent) => {
    expect(decodeBody(iconv.encode(sent, charset), json(charset))).toBe(sent);
  });
});

it('is UTF-8 where nothing is declared', () => {
  expect(decodeBody(Buffer.from(text), json())).toBe(text);
  expect(decodeBody(Buffer.from(text), xml())).toBe(text);
});

it.each([
  ['utf-8', 'utf-8'],
  ['utf-16le', undefined],
  ['utf-8', 'latin1'],
  ['utf-16le', 'utf-16'],
  ['utf-16be', 'utf-16le'],
  ['utf-32le', 'utf-32'],
  ['utf-32be', undefined],
])('a byte order mark of %s wins over %s and is dropped', (real, declared) => {
  expect(decodeBody(iconv.encode(text, real, { addBOM: true }), json(declared))).toBe(text);
});

const marked = (charset: string) => iconv.encode(text, charset, { addBOM: true });

it.each([
  ['iso-8859-1', 'the mark of UTF-16LE', marked('utf-16le')],
  ['ISO-8859-1', 'the mark of UTF-16BE', marked('utf-16be')],
  ['latin1', 'the mark of UTF-32LE', marked('utf-32le')],
  ['UTF-8', 'the mark of UTF-16LE', marked('utf-16le')],
  ['iso-8859-1', 'UTF-16LE without a mark', iconv.encode(text, 'utf-16le')],
  ['iso-8859-1', 'UTF-16BE without a mark', iconv.encode(text, 'utf-16be')],
  ['utf-16be', 'UTF-32BE without a mark', iconv.encode(text, 'utf-32be')],
  [undefined, 'UTF-16LE without a mark', iconv.encode('{}', 'utf-16le')],
  ['utf-8', 'a NUL', Buffer.from('{"a":"\0"}')],
])('refuses a body that is declared as %s and has %s with 400 (F4)', (declared, _what, bytes) => {
  expect(refusedBy(() => decodeBody(bytes, json(declared)))).toEqual({
    status: 400,
    texts: [
      `The body is not in the character set '${declared ?? 'utf-8'}': it has the byte order mark or the NUL characters of another one`,
    ],
  });
});

it('follows the XML declaration unless a mark or Content-Type says otherwise', () => {
  const document = `<?xml version="1.0" encoding='iso-8859-1'?><a b="${latin}"/>`;
  const utf16 = document.replace('iso-8859-1', 'utf-16');
  expect(decodeBody(Buffer.from(document, 'latin1'), xml())).toBe(document);
  expect(decodeBody(Buffer.from(document, 'utf8'), xml('utf-8'))).toBe(document);
  expect(decodeBody(Buffer.from(`\uFEFF${utf16}`), xml())).toBe(utf16);
  expect(decodeBody(iconv.encode('<a/>', 'utf-16le'), xml())).toBe('<a/>');
  expect(decodeBody(iconv.encode('<a/>', 'utf-16be'), xml())).toBe('<a/>');
});

it.each(['klingon', '', 'base64', 'hex', 'utf-7', 'constructor', '__proto__', 'utf-8; x'])(
  'refuses the unknown character set "%s" with 400 (F4)',
  (charset) => {
    const type = json(charset);
    if (charset === '') return expect(decodeBody(Buffer.from('{}'), json(undefined))).toBe('{}');
    const refused = refusedBy(() => decodeBody(Buffer.from('{}'), type));
    expect(refused).toEqual({ status: 400, texts: [`Unknown character set '${charset}'`] });
  },
);

it.each([
  ['utf-8', [0x4d, 0xfc, 0x6c]],
  ['utf-8', [0xed, 0xa0, 0x80]],
  ['us-ascii', [0x4d, 0xfc, 0x6c]],
  ['utf-16le', [0x41, 0x00, 0x42]],
  ['utf-32le', [0x41, 0x00, 0x00, 0x00, 0x42]],
  ['utf-16be', [0xd8, 0x00, 0x00, 0x41]],
  ['shift_jis', [0x81, 0x20]],
])('refuses bytes that %s does not have with 400', (charset, bytes) => {
  expect(refusedBy(() => decodeBody(Buffer.from(bytes), json(charset)))).toEqual({
    status: 400,
    texts: [`The body is not valid in the character set '${charset}'`],
  });
});
