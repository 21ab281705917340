import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printObject } from './layout.js';
import { normalise } from './normalise.js';
import type { Attribute, RpslObject } from './object.js';
import { parsed } from './parsed.fixture.js';
import { parseObject } from './text.js';
import { attributeTypes, objectTypeNames } from './types.js';
import { cleanComment, cleanValue } from './value.js';

const line = fc.string({ unit: fc.constantFrom(...'aZ09:#+, \t\r-.é%'), maxLength: 30 });
// Without a leading character: structured input may contain bare line breaks, which must not become attributes.
const continuation = fc.tuple(fc.constantFrom('', ' ', '\t', '+', '+ '), line).map((parts) => parts.join(''));
const raw = fc
  .tuple(line, fc.array(continuation, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].join('\n'));
const name = fc.constantFrom(...attributeTypes.map((a) => a.name));
const attribute: fc.Arbitrary<Attribute> = fc.record({ name, raw });

const object: fc.Arbitrary<RpslObject> = fc
  .tuple(fc.constantFrom(...objectTypeNames), raw, fc.array(attribute, { maxLength: 6 }))
  .map(([type, first, rest]) => ({ type, attributes: [{ name: type, raw: first }, ...rest] }));

const content = (o: RpslObject) => o.attributes.map((a) => [a.name, cleanValue(a), cleanComment(a)]);

test('a printed object parses to the same names, values and comments', () => {
  fc.assert(
    fc.property(object, (o) => {
      expect(content(parsed(printObject(o)))).toEqual(content(o));
    }),
  );
});

test('printing a printed object changes nothing', () => {
  fc.assert(
    fc.property(object, (o) => {
      const text = printObject(o);
      expect(printObject(parsed(text))).toBe(text);
    }),
  );
});

test('normalising twice is normalising once', () => {
  fc.assert(
    fc.property(object, (o) => {
      const once = normalise(o).object;
      expect(normalise(once).object).toEqual(once);
    }),
  );
});

test('any text either parses or is refused', () => {
  const soup = fc.string({ unit: fc.constantFrom(...':\n\r\t +#*', 'mntner', 'mt', 'source', 'x'), maxLength: 40 });
  fc.assert(
    fc.property(fc.oneof(soup, fc.string()), (text) => {
      expect(typeof parseObject(text).ok).toBe('boolean');
    }),
  );
});

test('a huge object parses in linear time', () => {
  const text = `mntner: A-MNT\n${'remarks: x\n y\n'.repeat(300_000)}${'+\n'.repeat(300_000)}`;
  // CPU time, which does not depend on what else the machine does.
  const before = process.threadCpuUsage();
  expect(parsed(text).attributes).toHaveLength(300_001);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(5000);
});
