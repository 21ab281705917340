import { describe, expect, it } from 'vitest';
import { parameter, readParameters } from './parameters.js';

const known = {
  'dry-run': parameter.flag(''),
  limit: parameter.count(''),
  reason: parameter.text(''),
  t: parameter.list(''),
};

const read = (query: string) => readParameters(query, known);

describe('a flag', () => {
  it.each([
    ['', false],
    ['other', false],
    ['dry-run', true],
    ['dry-run=', true],
    ['dry-run=true', true],
    ['dry-run=TRUE', true],
    ['dry-run=false', false],
  ])('in "%s" is %s (W7)', (query, expected) => {
    expect(read(query)['dry-run']).toBe(expected);
  });

  it.each(['dry-run=1', 'dry-run=yes', 'dry-run=ture', 'dry-run=true&dry-run=false', 'dry-run&dry-run'])(
    'in "%s" is refused (W7)',
    (query) => {
      expect(() => read(query)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

describe('a count', () => {
  it.each([
    ['', undefined],
    ['limit=0', 0],
    ['limit=007', 7],
    ['limit=99999999999', 4_294_967_295],
  ])('in "%s" is %s', (query, expected) => {
    expect(read(query).limit).toBe(expected);
  });

  it.each(['limit', 'limit=', 'limit=-1', 'limit=1.5', 'limit=1e3', 'limit=+1', 'limit=x', 'limit=%201'])(
    'in "%s" is refused (R7)',
    (query) => {
      expect(() => read(query)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

it.each([
  ['', ''],
  ['reason=a+b%20c', 'a b c'],
])('a text in "%s" is "%s"', (query, expected) => {
  expect(read(query).reason).toBe(expected);
});

it('gives the values of a list as sent, each once', () => {
  expect(read('t=b,a&t=&t=B&t=b,a&u=x').t).toEqual(['b,a', '', 'B']);
});

it('passes over what the route does not know', () => {
  expect(Object.keys(read('u=x&constructor=y&__proto__=z'))).toEqual(['dry-run', 'limit', 'reason', 't']);
});

it.each([
  ['dryrun', ["Unknown parameter '%s'"]],
  ['dry-run&Dry-Run=true&unformated', ["Unknown parameter '%s'", "Unknown parameter '%s'"]],
  ['apiKey=hunter2&keyId=x&dry-run=ture', [expect.stringContaining('omits it'), expect.stringContaining('value')]],
  ['aHVudGVyMjpodW50ZXIy', [expect.stringContaining('omits it')]],
  ['constructor', ["Unknown parameter '%s'"]],
])('refuses unknown parameters where the route does not ignore them: %s (W7)', (query, texts) => {
  const refusal = expect.objectContaining({
    status: 400,
    messages: texts.map((text) => expect.objectContaining({ text })),
  });
  expect(() => readParameters(query, known, { unknown: 'refused' })).toThrow(refusal);
});

it('refuses all values that are not of their kind at once', () => {
  expect(() => read('dry-run=x&limit=-1&reason=a&reason=b&t=1&t=2')).toThrow(
    expect.objectContaining({
      messages: [{}, {}, {}].map(() => expect.objectContaining({ text: expect.any(String) })),
    }),
  );
});

describe('parameters with secrets', () => {
  it.each(['password=hunter2', 'x=1&override=a,hunter2,b', 'Password=hunter2', 'pass%77ord=hunter2', 'password'])(
    'refuses %s without repeating the value (W8)',
    (query) => {
      const refuse = () => read(query);
      expect(refuse).toThrow(expect.objectContaining({ status: 400 }));
      try {
        refuse();
      } catch (error) {
        expect(JSON.stringify(error)).not.toContain('hunter2');
      }
    },
  );
});
