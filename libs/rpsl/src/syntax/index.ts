import { attributeType, attributeTypes, type ObjectTypeName, type SyntaxId } from '../types.js';
import { addressSyntaxes, isMntRoutes } from './addresses.js';
import { anything, type Checker } from './checker.js';
import { contactSyntaxes } from './contacts.js';
import { credentialSyntaxes } from './credentials.js';
import { dnsSyntaxes } from './dns.js';
import { memberSyntaxes } from './members.js';
import { nameSyntaxes } from './names.js';
import { policySyntaxes } from './policy/index.js';
import { setSyntaxes } from './sets.js';
import { urlSyntaxes } from './urls.js';
import { valueSyntaxes } from './values.js';

const checkers: Readonly<Record<SyntaxId, Checker>> = {
  ...addressSyntaxes,
  ...contactSyntaxes,
  ...credentialSyntaxes,
  ...dnsSyntaxes,
  ...memberSyntaxes,
  'mnt-routes': isMntRoutes,
  ...nameSyntaxes,
  ...policySyntaxes,
  ...setSyntaxes,
  ...urlSyntaxes,
  ...valueSyntaxes,
};

const checkersByAttribute: ReadonlyMap<string, Checker> = new Map(
  attributeTypes.map(({ name, syntax }) => [name, checkers[syntax]]),
);

/**
 * Whether a value is valid for the attribute in objects of that type; unknown attributes accept any text.
 * The value is clean: without comments, line breaks and repeated spaces; for a list attribute it is one element.
 * Takes time linear in the length of any value.
 */
export function checkSyntax(attributeName: string, type: ObjectTypeName, value: string): boolean {
  return attributeChecker(attributeName)(value, type);
}

/** Whether a clean value is valid for the syntax with an id, in objects of a type. */
export function fitsSyntax(id: SyntaxId, type: ObjectTypeName, value: string): boolean {
  return checkers[id](value, type);
}

function attributeChecker(name: string): Checker {
  const checker = checkersByAttribute.get(name);
  if (checker !== undefined) return checker;
  const attribute = attributeType(name);
  return attribute === undefined ? anything : checkers[attribute.syntax];
}
