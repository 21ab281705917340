import { describe, expect, it } from 'vitest';
import { Refusal } from './errors.js';
import { flagOf, publicQuery, readParameters } from './parameters.js';

describe('a flag', () => {
  it.each([
    ['', false],
    ['other', false],
    ['dry-run', true],
    ['dry-run=', true],
    ['dry-run=true', true],
    ['dry-run=TRUE', true],
    ['dry-run=false', false],
    ['dry-run=false&dry-run', true],
    ['dry-run=true&dry-run=false', true],
  ])('in "%s" is %s (W7)', (query, expected) => {
    expect(flagOf(readParameters(query), 'dry-run')).toBe(expected);
  });

  it.each(['dry-run=1', 'dry-run=yes', 'dry-run=ture', 'dry-run=true&dry-run=x'])(
    'in "%s" is refused (W7)',
    (query) => {
      expect(() => flagOf(readParameters(query), 'dry-run')).toThrow(Refusal);
    },
  );
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
