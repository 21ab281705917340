import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { attributeTypes, objectTypeNames } from '../../types.js';
import { checkSyntax } from '../index.js';
import { policySyntaxes } from './index.js';

const words = (
  'from to at action accept announce except refine networks into protocol afi ipv4 ipv6 any unicast not and or peeras ' +
  'AS1 AS64500 AS1-AS5 AS-A AS1:AS-B RS-A FLTR-A PRNG-A RTRS-A r1 example.net 192.0.2.1 192.0.2.0/24^+ ::1 2001:db8::/32 ' +
  'pref med community aspath prepend next_hop self 1 70000 64500:1 ( ) { } [ ] < > , ; = == .= . | * ? + ~* ^ ^+ ^24 $ ' +
  '{INT} BGP4 MPBGP OSPF masklen tunnel GRE asno flap_damp atomic upon static exclude have-components inbound # " : - _ é'
).split(' ');

const attributes = attributeTypes.map((type) => type.name);
const policyAttributes = attributeTypes.filter(({ syntax }) => syntax in policySyntaxes).map((type) => type.name);
const otherAttributes = attributes.filter((name) => !policyAttributes.includes(name));
const policySample = ['import', 'export-via', 'mp-filter', 'inject', 'mp-peer', 'interface'];

/** CPU time, which does not depend on what else the machine does. */
function milliseconds(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

describe('nesting', () => {
  const nested = (depth: number, open: string, core: string, close: string) =>
    open.repeat(depth) + core + close.repeat(depth);

  test.each([
    ['aggr-bndry', 'route', '(', 'AS1', ')'],
    ['filter', 'filter-set', '(', 'ANY', ')'],
    ['filter', 'filter-set', 'NOT (', 'ANY', ')'],
  ] as const)('%s in %s: 200 levels of %s pass, 201 fail', (attribute, type, open, core, close) => {
    expect(checkSyntax(attribute, type, nested(200, open, core, close))).toBe(true);
    expect(checkSyntax(attribute, type, nested(201, open, core, close))).toBe(false);
    expect(checkSyntax(attribute, type, nested(30_000, open, core, close))).toBe(false);
  });

  test('a long chain of NOT is not nesting', () => {
    expect(checkSyntax('filter', 'filter-set', `${'NOT '.repeat(25_000)}ANY`)).toBe(true);
  });

  test('unbalanced closing parentheses do not increase the depth limit', () => {
    const value = `<${')'.repeat(1000)}${'('.repeat(50_000)}`;
    expect(checkSyntax('filter', 'filter-set', value)).toBe(false);
  });
});

describe('long values', () => {
  const size = 50_000;
  const pieces = [
    'a',
    'A-',
    'a.',
    'a ',
    'AS1',
    'AS1 ',
    'AS1:',
    'AS1 or ',
    'AS-A:',
    'AS1-',
    'AS1 - ',
    '-',
    '1',
    '1.',
    '1:',
    ':',
    '::',
    'f:',
    '1a',
    'a1:',
    '(',
    ')',
    '{',
    '{INT',
    '<',
    '[',
    '^',
    '^1',
    '^1-',
    '~',
    '.',
    ',',
    ';',
    '=',
    ' ',
    '\t',
    '\n',
    '@',
    'a@',
    'a.@',
    '"',
    '\\',
    '/',
    '1/',
    '192.0.2.1 ',
    '2001:db8::1 ',
    '192.0.2.0/24^',
    '+',
    '+1 ',
    'http:',
    '%',
    '#',
    'é',
    '\u0000',
    '-a',
    '_',
    '(1',
    'NOT ',
    'from AS1 ',
    'community ',
    ' (',
    '[]',
    '<a',
    '/32',
  ];
  const prefixes = [
    '',
    'from AS1 accept <',
    '{',
    'AS1 ',
    'jo@',
    'https://',
    'https://a.',
    '+',
    'SSO ',
    '1 1 1 ',
    'EX-MNT {',
    'irt-',
    '"',
  ];

  const checked = [...otherAttributes, ...policySample];
  /** Per attribute; the next attributes get the next values. */
  const perValue = Math.min(inject('counts').attributesPerHostileValue, checked.length);

  test('every kind of attribute is checked in linear time', { timeout: 400_000 }, () => {
    const slow: string[] = [];
    let next = 0;
    for (const piece of pieces) {
      for (const prefix of prefixes) {
        const value = `${(prefix + piece.repeat(size / piece.length)).slice(0, size)}!`;
        for (let nth = 0; nth < perValue; nth++) {
          const attribute = checked[next++ % checked.length]!;
          const run = () => checkSyntax(attribute, typeOf(attribute), value);
          // Measures twice, so that one pause of the machine does not count.
          if (milliseconds(run) > 300 && milliseconds(run) > 300) slow.push(`${attribute}: ${prefix}${piece}...`);
        }
      }
    }
    expect(slow).toEqual([]);
  });

  test('long valid policy is accepted quickly', () => {
    const list = Array.from({ length: 5000 }, (_, i) => `192.0.${i >> 8}.${i & 255}/32`).join(', ');
    const run = () => expect(checkSyntax('import', 'aut-num', `from AS1 accept {${list}}`)).toBe(true);
    // Measures twice, so that one pause of the machine does not count.
    expect(Math.min(milliseconds(run), milliseconds(run))).toBeLessThan(1000);
  });
});

function typeOf(attribute: string) {
  if (/^(members|mp-members)$/.test(attribute)) return 'route-set';
  if (/^(inject|components|export-comps|holes|member-of)$/.test(attribute)) return 'route';
  return 'inetnum';
}

describe('random input', () => {
  test('random tokens never throw', () => {
    const soup = fc.array(fc.constantFrom(...words), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.constantFrom(...policyAttributes),
        fc.constantFrom(...objectTypeNames),
        soup,
        (name, type, tokens) => {
          expect(typeof checkSyntax(name, type, tokens.join(' '))).toBe('boolean');
          expect(typeof checkSyntax(name, type, tokens.join(''))).toBe('boolean');
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('arbitrary text never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...attributes),
        fc.constantFrom(...objectTypeNames),
        fc.string(),
        (name, type, text) => {
          expect(typeof checkSyntax(name, type, text)).toBe('boolean');
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('layout between tokens does not change the result', () => {
    const soup = fc.array(fc.constantFrom(...words), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...policyAttributes), soup, (name, tokens) => {
        expect(checkSyntax(name, 'route', tokens.join('\n\t '))).toBe(checkSyntax(name, 'route', tokens.join(' ')));
      }),
      { numRuns: 2000 },
    );
  });
});
