import { formatMessage, printObject, samples } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { objectOf } from '../../tests/write-object.js';
import type { Submission, SubmittedAttribute } from './change.js';
import { prepare } from './prepare.js';

function attributesOf(text: string): SubmittedAttribute[] {
  return objectOf(text).attributes.map(({ name, raw }) => ({ name, value: raw.trim() }));
}

function run(attributes: readonly SubmittedAttribute[], rest: Partial<Submission> = {}) {
  const result = prepare({ verb: 'create', attributes, reason: '', ...rest });
  return result.ok
    ? {
        key: result.prepared.key.folded,
        said: 'messages' in result.prepared ? result.prepared.messages.map(formatMessage) : [],
      }
    : { refused: result.refused.messages.map(formatMessage), shown: result.refused.submitted };
}

describe('prepare', () => {
  test.each(Object.keys(samples) as (keyof typeof samples)[])('accepts the sample of %s unchanged', (type) => {
    const result = prepare({ verb: 'create', attributes: attributesOf(samples[type]), reason: '' });
    expect(result).toMatchObject({ ok: true, prepared: { messages: [] } });
    expect(result.ok && 'object' in result.prepared && objectOf(printObject(result.prepared.object)).type).toBe(type);
  });

  test('names in any letter case, long or short', () => {
    const attributes = attributesOf(samples.person).map(({ name, value }) =>
      name === 'mnt-by' ? { name: '*MB', value } : { name: name.toUpperCase(), value },
    );
    expect(run(attributes)).toEqual({ key: 'ae1-test', said: ['Short format attribute name(s) have been replaced.'] });
  });

  test('a key attribute that is missing, empty or given twice', () => {
    const route = attributesOf(samples.route);
    const without = route.filter(({ name }) => name !== 'origin');
    expect(run(without).refused).toContain('Mandatory attribute "origin" is missing');
    expect(run([...without, { name: 'origin', value: '' }]).refused!.length).toBeGreaterThan(0);
    expect(run([...route, { name: 'origin', value: 'AS64501' }]).refused).toContain(
      'Attribute "origin" appears more than once',
    );
  });

  test('a deletion by path needs no object; one in a group only the key', () => {
    const path = { type: 'INETNUM', key: '192.0.2.0/24' };
    expect(run([], { verb: 'delete', path })).toEqual({ key: '192.0.2.0 - 192.0.2.255', said: [] });
    expect(run([{ name: 'inetnum', value: '192.0.2.0/24' }], { verb: 'delete' })).toEqual({
      key: '192.0.2.0 - 192.0.2.255',
      said: [],
    });
  });

  test('the path may spell the key differently', () => {
    const attributes = attributesOf(samples.inet6num);
    expect(run(attributes, { verb: 'update', path: { type: 'inet6num', key: '2001:DB8:0::/32' } })).toMatchObject({
      key: '2001:db8::/32',
    });
    expect(run(attributes, { verb: 'update', path: { type: 'inet6num', key: '2001:db8::/33' } }).refused).toEqual([
      'Primary key (2001:db8::/33) cannot be modified.',
    ]);
  });
});
