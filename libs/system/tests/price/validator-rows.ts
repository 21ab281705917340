import { attributeTypes, objectTypes, type SyntaxId, samples } from '@cadastre/rpsl';
import { bounds } from './bounds.js';
import { type Attributes, attributesOf, json, post, repeated } from './documents.js';
import { large, type Row, rowsOf } from './row.js';

/** Repeated texts that parsers and regular expressions may handle badly, each with its required start. */
const values: readonly (readonly [start: string, piece: string])[] = [
  ...alone('a', 'a ', 'A-', 'a.', '1', '1.', '1:', '::', '+1 ', '(', '{', '<', '[', '"', '-', ',', '@'),
  ...alone('AS1', 'AS1 ', 'AS1:', 'AS-A:', '^1-', '192.0.2.0/24^+ ', '2001:db8::/32^+,'),
  ['from AS1 accept <', '(AS1*|'],
  ['from AS1 accept ', 'NOT ('],
  ['https://', 'a.'],
  ['jo@', 'a.'],
  ['EXAMPLE-MNT {', '192.0.2.0/24^+,'],
  ['1 1 1 ', '0'],
  ['SSO ', 'a@'],
];

function alone(...pieces: string[]): (readonly [string, string])[] {
  return pieces.map((piece) => ['', piece] as const);
}

/** A syntax and the template line that uses it. */
interface Use {
  readonly syntax: SyntaxId;
  readonly type: (typeof objectTypes)[number];
  readonly attribute: string;
}

/** Each value syntax with the longest values, all in one object. */
export function validatorRows(): Row[] {
  const create = rowsOf('POST /{source}/{objectType}', 'maintainer', {
    mediaType: 'application/json',
    budget: large,
  });
  return uses().map((use) =>
    create(`values of ${use.syntax}`, () =>
      post(`/TEST/${use.type.name}?dry-run`, 'application/json', json(hostileObject(use))),
    ),
  );
}

/** The first use of each syntax whose values clients write. */
function uses(): Use[] {
  const found = objectTypes.flatMap((type) =>
    type.attributes
      .filter(({ requirement }) => requirement !== 'generated')
      .map(({ name }) => ({ syntax: syntaxOf(name), type, attribute: name })),
  );
  return [...new Map(found.reverse().map((use) => [use.syntax, use])).values()];
}

function syntaxOf(attribute: string): SyntaxId {
  return attributeTypes.find(({ name }) => name === attribute)!.syntax;
}

/** The sample of a type with each hostile value in a further attribute. */
function hostileObject({ type, attribute }: Use): Attributes {
  const length = Math.floor((bounds.writeCharacters * 0.9) / values.length);
  const hostile = values.map(([start, piece]) => [attribute, `${start}${repeated(piece, length)}!`] as const);
  const sample = attributesOf(samples[type.name].replace(/\n[ \t+]+/g, ' '));
  return [...sample.slice(0, -2), ...hostile, ...sample.slice(-2)];
}
