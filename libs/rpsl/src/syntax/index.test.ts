import { describe, expect, test } from 'vitest';
import { attributeType, attributeTypes, type ObjectTypeName, objectTypes, type SyntaxId, syntaxes } from '../types.js';
import examples from './examples.json' with { type: 'json' };
import { checkSyntax, fitsSyntax } from './index.js';

interface Row {
  readonly syntax: SyntaxId;
  readonly types: readonly ObjectTypeName[];
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const rows = examples as readonly Row[];
const listSyntaxes = new Set(attributeTypes.filter((a) => a.list).map((a) => a.syntax));

function elements(syntax: SyntaxId, value: string): string[] {
  return listSyntaxes.has(syntax) ? value.split(',').map((part) => part.trim()) : [value];
}

function fits(syntax: SyntaxId, type: ObjectTypeName, value: string): boolean {
  return elements(syntax, value).every((element) => fitsSyntax(syntax, type, element));
}

describe('examples of every syntax', () => {
  const cases = rows.flatMap((row) => row.types.map((type) => ({ ...row, type })));
  test.each(cases)('$syntax in $type', ({ syntax, type, valid, invalid }) => {
    expect(valid.filter((value) => !fits(syntax, type, value))).toEqual([]);
    expect(invalid.filter((value) => fits(syntax, type, value))).toEqual([]);
  });
});

test('every syntax has examples', () => {
  const ids = syntaxes.map((s) => s.id).sort();
  expect([...new Set(rows.map((row) => row.syntax))].sort()).toEqual(ids);
});

test('a syntax with variants has examples for every type that uses it', () => {
  const variantTypes = new Map<SyntaxId, Set<string>>();
  for (const row of rows)
    variantTypes.set(row.syntax, new Set([...(variantTypes.get(row.syntax) ?? []), ...row.types]));
  const missing = objectTypes.flatMap((type) =>
    type.attributes
      .map((use) => attributeType(use.name)!.syntax)
      .filter((id) => rows.filter((row) => row.syntax === id).length > 1 && !variantTypes.get(id)!.has(type.name))
      .map((id) => `${id} in ${type.name}`),
  );
  expect(missing).toEqual([]);
});

describe('checkSyntax', () => {
  test.each<[string, ObjectTypeName, string, boolean]>([
    ['origin', 'route', 'AS64500', true],
    ['ORIGIN', 'route', 'AS64500', true],
    ['or', 'route', '64500', false],
    ['status', 'inetnum', 'assigned pa', true],
    ['status', 'inet6num', 'assigned pa', false],
    ['status', 'person', 'ASSIGNED', false],
    ['no-such-attribute', 'person', 'anything', true],
  ])('%s in %s: %s is %s', (attribute, type, value, expected) => {
    expect(checkSyntax(attribute, type, value)).toBe(expected);
  });
});
