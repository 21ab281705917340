import { expect, test } from 'vitest';
import { controlCharacters, convertObject, toLatin1 } from './latin1.js';
import { formatMessage } from './message.js';
import { parsed } from './parsed.fixture.js';

test.each([
  ['plain', 'plain', 0],
  ['Zürich ÿ', 'Zürich ÿ', 0],
  ['Łódź', '?ód?', 2],
  ['a\u00a0b', 'a b', 1],
  ['co\u00adop', 'co-op', 1],
  ['😀!', '?!', 1],
  ['\ud83d', '?', 1],
  ['\ude00\ud83d', '??', 2],
  ['', '', 0],
  ['tab\tline\n', 'tab\tline\n', 0],
])('%j is stored as %j with %d replacements', (text, stored, replaced) => {
  expect(toLatin1(text)).toEqual({ text: stored, replaced });
});

test('each converted attribute causes one warning with the new value', () => {
  const { object, messages } = convertObject(parsed('person: Łucja Łoś\naddress: Zürich\nremarks: ☎ # ☎'));
  expect(object.attributes.map((a) => a.raw)).toEqual([' ?ucja ?o?', ' Zürich', ' ? # ?']);
  expect(messages.map((m) => [m.severity, formatMessage(m), m.attributeIndex])).toEqual([
    ['warning', 'Attribute "person:" has been converted to "?ucja ?o?"', 0],
    ['warning', 'Attribute "remarks:" has been converted to "?"', 2],
  ]);
});

test.each([
  ['e-mail', ' jo@exämple.net', ' jo@xn--exmple-cua.net'],
  ['abuse-mailbox', ' Jo <jo@пример.example> # c', ' Jo <jo@xn--e1afmkfd.example> # c'],
])('a domain with other letters becomes punycode in %s: %j', (name, raw, converted) => {
  const { object, messages } = convertObject({ type: 'role', attributes: [{ name, raw }] });
  expect(object.attributes[0]?.raw).toBe(converted);
  expect(messages.map((m) => [m.severity, m.text])).toEqual([
    ['warning', 'Value changed due to conversion of IDN email address(es) into Punycode'],
  ]);
});

test('punycode changes no ASCII addresses, local parts or other attributes', () => {
  const object = parsed('person: Jo Doe\ne-mail: Jö@Example.net\nremarks: jo@exämple.net');
  expect(convertObject(object)).toEqual({ object, messages: [] });
});

test('a value that is too long for an address is not searched for domains', () => {
  const raw = ` jo@exämple.net${' '.repeat(2_000)}`;
  expect(convertObject({ type: 'role', attributes: [{ name: 'e-mail', raw }] }).messages).toEqual([]);
});

test.each(['\0', '\u0007', '\u001b', '\u007f', '\u0080', '\u009f'])('control character %j is refused', (character) => {
  const object = { type: 'person', attributes: [{ name: 'remarks', raw: ` a${character}b` }] } as const;
  const found = controlCharacters(object);
  expect(found.map(formatMessage)).toEqual(['Syntax error in a?b (control characters are not allowed)']);
  expect(JSON.stringify(found)).not.toContain(JSON.stringify(character).slice(1, -1));
});

test('tabs, line ends and latin-1 letters are not control characters', () => {
  expect(controlCharacters(parsed('person: Jo\tDoe\r\n Zürich\u00a0\u00ff'))).toEqual([]);
});
