import { expect, test } from 'vitest';
import { primaryKey } from './key.js';
import { printObject } from './layout.js';
import { parsed } from './parsed.fixture.js';
import { referencesOf } from './references.js';
import { samples } from './samples.js';
import { objectType, objectTypeNames } from './types.js';
import { valuesOf } from './value.js';

const keys = new Set(
  objectTypeNames.map((type) => {
    const key = primaryKey(parsed(samples[type]));
    return 'folded' in key ? `${type} ${key.folded}` : '';
  }),
);

test.each(objectTypeNames)(
  'the sample %s is in its text form, in source TEST, without server-written attributes',
  (type) => {
    const object = parsed(samples[type]);
    expect(object.type).toBe(type);
    expect(printObject(object)).toBe(samples[type]);
    expect(valuesOf(object, 'source')).toEqual(['TEST']);
    const generated = objectType(type)!.attributes.filter((a) => a.requirement === 'generated');
    expect(generated.filter((a) => valuesOf(object, a.name).length > 0)).toEqual([]);
  },
);

test.each(objectTypeNames)('every reference of the sample %s has a target among the samples', (type) => {
  const dangling = referencesOf(parsed(samples[type])).filter((r) => !r.types.some((t) => keys.has(`${t} ${r.key}`)));
  expect(dangling).toEqual([]);
});
