import { describe, expect, it } from 'vitest';
import { parameter, publicQuery, readParameters } from './parameters.js';

const known = {
  'dry-run': parameter.flag(''),
  limit: parameter.count(''),
  reason: parameter.text(''),
  t: parameter.list(''),
};

const read = (query: string) => readParameters(query, known);
const write = (query: string) => readParameters(query, known, { isWrite: true });

describe('a flag', () => {
  it.each([
    ['', false],
    ['dry-run', true],
    ['dry-run=', true],
    ['dry-run=true', true],
    ['dry-run=TRUE', true],
    ['dry-run=false', false],
  ])('in "%s" is %s for reads and writes (W7)', (query, expected) => {
    expect([read(query)['dry-run'], write(query)['dry-run']]).toEqual([expected, expected]);
  });

  it.each([
    ['other', false],
    ['dry-run=1', true],
    ['dry-run=yes', true],
    ['dry-run=YES', true],
    ['dry-run=0', false],
    ['dry-run=no', false],
    ['dry-run=off', false],
    ['dry-run=ture', false],
    ['dry-run=null', false],
  ])('in "%s" is %s for reads (W7)', (query, expected) => {
    expect(read(query)['dry-run']).toBe(expected);
  });

  it.each(['dry-run=1', 'dry-run=0', 'dry-run=yes', 'dry-run=no', 'dry-run=ture'])(
    'in "%s" is refused for writes (W7)',
    (query) => {
      expect(() => write(query)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

describe('a repeated parameter', () => {
  it.each([
    ['dry-run&dry-run', { 'dry-run': true }],
    ['dry-run=true&dry-run=yes', { 'dry-run': true }],
    ['dry-run=no&dry-run=0', { 'dry-run': false }],
    ['limit=7&limit=7', { limit: 7 }],
    ['limit=7&limit=007', { limit: 7 }],
    ['reason=a+b&reason=a%20b', { reason: 'a b' }],
  ])('of a read counts once when its values agree: %s (W7)', (query, expected) => {
    expect(read(query)).toMatchObject(expected);
  });

  it.each(['dry-run=true&dry-run=false', 'dry-run&dry-run=0', 'limit=7&limit=8', 'reason=a&reason=A'])(
    'of a read is refused when its values differ: %s (W7)',
    (query) => {
      expect(() => read(query)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it.each(['dry-run&dry-run', 'limit=7&limit=7', 'reason=a&reason=a'])('of a write is refused: %s (W7)', (query) => {
    expect(() => write(query)).toThrow(expect.objectContaining({ status: 400 }));
  });
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

it('returns the values of a list, each once', () => {
  expect(read('t=b,a&t=&t=B&t=b,a&u=x').t).toEqual(['b,a', '', 'B']);
});

it('ignores unknown parameters', () => {
  expect(Object.keys(read('u=x&constructor=y&__proto__=z'))).toEqual(['dry-run', 'limit', 'reason', 't']);
});

it.each([
  ['dryrun', ["Unknown parameter '%s'"]],
  ['dry-run&Dry-Run=true&unformated', ["Unknown parameter '%s'", "Unknown parameter '%s'"]],
  ['apiKey=hunter2&keyId=x&dry-run=ture', [expect.stringContaining('omits it'), expect.stringContaining('value')]],
  ['aHVudGVyMjpodW50ZXIy', [expect.stringContaining('omits it')]],
  ['constructor', ["Unknown parameter '%s'"]],
])('refuses unknown parameters of a write: %s (W7)', (query, texts) => {
  const refusal = expect.objectContaining({
    status: 400,
    messages: texts.map((text) => expect.objectContaining({ text })),
  });
  expect(() => write(query)).toThrow(refusal);
});

it('refuses all values that are not of their kind at once', () => {
  expect(() => write('dry-run=x&limit=-1&reason=a&reason=b&t=1&t=2')).toThrow(
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

it.each([
  ['dry-run&password=hunter2&x=%20&pass%77ord=y', 'dry-run&x=%20'],
  ['password=hunter2', ''],
  ['keyId=x&limit=1&apiKey=x&api_key=x&api-key=x&API%4bEY=x', 'limit=1'],
  ['token=x&access_token=x&sessionId=x&signature=x&client-secret=x&Authorization=x&pwd=x', ''],
  ['a=b;apiKey=x&c=d', 'c=d'],
  ['QUtJQUlPU0ZPRE5ON0VYQU1QTEU6c2VjcmV0&QUtJQUlPU0ZPRE5ON0VYQU1QTEU6c2VjcmV0=', ''],
  ['key=192.0.2.1&ipkey=192.0.2.1&query-string=a%26b&inverse-attribute=mnt-by', undefined],
])('the link of ?%s has no credentials', (query, expected) => {
  expect(publicQuery(query)).toBe(expected ?? query);
});
