import { describe, expect, it } from 'vitest';
import { Refusal } from './errors.js';
import { countOf, flagOf, publicQuery, readParameters, valuesOf } from './parameters.js';

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
    expect(flagOf(readParameters(query), 'dry-run')).toBe(expected);
  });

  it.each(['dry-run=1', 'dry-run=yes', 'dry-run=ture', 'dry-run=true&dry-run=false', 'dry-run&dry-run'])(
    'in "%s" is refused (W7)',
    (query) => {
      expect(() => flagOf(readParameters(query), 'dry-run')).toThrow(Refusal);
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
    expect(countOf(readParameters(query), 'limit')).toBe(expected);
  });

  it.each(['limit', 'limit=', 'limit=-1', 'limit=1.5', 'limit=1e3', 'limit=+1', 'limit=x', 'limit=%201'])(
    'in "%s" is refused (R7)',
    (query) => {
      expect(() => countOf(readParameters(query), 'limit')).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

it('gives the values of a repeated parameter as sent, each once', () => {
  expect(valuesOf(readParameters('t=b,a&t=&t=B&t=b,a&u=x'), 't')).toEqual(['b,a', 'B']);
});

describe('parameters with secrets', () => {
  it.each(['password=hunter2', 'x=1&override=a,hunter2,b', 'Password=hunter2', 'pass%77ord=hunter2', 'password'])(
    'refuses %s without repeating the value (W8)',
    (query) => {
      const refuse = () => readParameters(query);
      expect(refuse).toThrow(expect.objectContaining({ status: 400 }));
      try {
        refuse();
      } catch (error) {
        expect(JSON.stringify(error)).not.toContain('hunter2');
      }
    },
  );

  it('are not shown in links', () => {
    expect(publicQuery('dry-run&password=hunter2&x=%20&pass%77ord=y')).toBe('dry-run&x=%20');
    expect(publicQuery('password=hunter2')).toBe('');
  });
});
