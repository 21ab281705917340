import { parseObject } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { refusedBy } from './refused.fixture.js';
import { singleObject, submittedObject } from './whois-resources.js';

const submittedValue = (value: string, comment?: string, name = 'remarks') =>
  submittedObject({ attributes: [{ name, value, ...(comment === undefined ? {} : { comment }) }] }).attributes[0]
    ?.value;

describe('values', () => {
  it.each([
    ['a value', 'one', undefined, 'one'],
    ['spacing', '        one   two', undefined, '        one   two'],
    ['a comment', 'one', 'two', 'one # two'],
    ['an empty comment', 'one', ' ', 'one'],
    ['a comment inside the value', 'one # two', undefined, 'one # two'],
    ['a comment of several lines', 'one', 'two\nsource: X\r\nthree', 'one # two source: X three'],
    ['continuation lines', 'one\n two\n+three\n\tfour', undefined, 'one\n two\n+three\n\tfour'],
    ['empty lines', 'one\n\n  \ntwo', undefined, 'one\n+\n+\n two'],
    ['any kind of line end', 'one\r\ntwo\rthree', undefined, 'one\n two\n three'],
  ])('keep %s', (_what, value, comment, expected) => {
    expect(submittedValue(value, comment)).toBe(expected);
  });

  it.each([
    'x\nmnt-by: EVIL-MNT',
    'x\r\nmnt-by: EVIL-MNT',
    'x\rmnt-by: EVIL-MNT',
    '\nmnt-by: EVIL-MNT',
    'x\n\nmnt-by: EVIL-MNT',
  ])('never become attributes: %j', (value) => {
    const { attributes } = submittedObject({
      attributes: [
        { name: 'person', value },
        { name: 'remarks', value: 'x', comment: value },
      ],
    });
    const text = attributes.map((attribute) => `${attribute.name}:${attribute.value}\n`).join('');
    const parsed = parseObject(text);
    expect(parsed.ok && parsed.object.attributes.map((attribute) => attribute.name)).toEqual(['person', 'remarks']);
  });
});

it('accepts long, short and marked names', () => {
  const { attributes } = submittedObject({
    attributes: [
      { name: ' Mnt-By ', value: 'a' },
      { name: '*mb', value: 'b' },
    ],
  });
  expect(attributes.map((attribute) => attribute.name)).toEqual(['Mnt-By', '*mb']);
});

it('lists all attributes that cannot be mapped at once', () => {
  const attempt = () =>
    submittedObject({
      attributes: [
        { value: 'x' },
        { name: '', value: 'x' },
        { name: 'source' },
        { name: 'remarks', value: 'a # b', comment: 'c' },
        { name: 'remarks: x\nmnt-by', value: 'EVIL-MNT' },
        { name: 'mnt-by:', value: 'EVIL-MNT' },
      ],
    });
  expect(refusedBy(attempt)).toEqual({
    status: 400,
    texts: [
      'Attribute without a name',
      'Attribute without a name',
      'Attribute source has no value',
      'Value cannot have a comment in remarks',
      '"remarks: x\nmnt-by" is not a known RPSL attribute',
      '"mnt-by:" is not a known RPSL attribute',
    ],
  });
});

it('lists a hundred faults at most, and shortens long values', () => {
  const { texts } = refusedBy(() =>
    submittedObject({ attributes: Array(1_000).fill({ name: 'x!'.repeat(10_000), value: '' }) }),
  );
  expect([texts.length, texts[0]!.length < 300]).toEqual([100, true]);
});

it('does not treat "#" inside a contact URI as a comment', () => {
  expect(submittedValue('https://example.net/#room', 'desk', 'contact')).toBe('https://example.net/#room # desk');
  expect(refusedBy(() => submittedValue('https://example.net/ #room', 'desk', 'contact')).status).toBe(400);
});

describe('the number of objects', () => {
  it.each([0, 2, 3])('%d is refused where one is expected', (count) => {
    const objects = Array(count).fill([{ name: 'person', value: 'x' }]);
    expect(refusedBy(() => singleObject(objects))).toEqual({
      status: 400,
      texts: [`Single object expected in WhoisResources (found ${count})`],
    });
  });

  it('one without attributes is refused', () => {
    expect(refusedBy(() => singleObject([{ attributes: [] }])).texts).toEqual(['The validated collection is empty']);
  });
});
