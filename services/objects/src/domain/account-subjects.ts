import { allOf, cleanValue, type RpslObject, replaceValue } from '@cadastre/rpsl';
import { accountName } from './authenticate.js';

/** What `auth: SSO` lines of an object name: accounts by their stable subjects, or (legacy) by their names. */
export function namedAccounts(object: RpslObject): string[] {
  return allOf(object, 'auth').flatMap((attribute) => accountName(cleanValue(attribute)) ?? []);
}

/**
 * Replaces account names by stable subjects in `auth: SSO` lines before storing: a later owner of the e-mail address
 * does not inherit the account's authority. Does not change unknown names.
 */
export function withSubjects(object: RpslObject, accounts: ReadonlyMap<string, { readonly id: string }>): RpslObject {
  return replaced(object, (name) => accounts.get(name.toLowerCase())?.id);
}

/**
 * Replaces stable subjects by account names in `auth: SSO` lines, for authorised readers. Does not change unknown
 * subjects.
 */
export function withNames(object: RpslObject, accounts: ReadonlyMap<string, { readonly name: string }>): RpslObject {
  return replaced(object, (id) => accounts.get(id)?.name);
}

function replaced(object: RpslObject, other: (named: string) => string | undefined): RpslObject {
  const attributes = object.attributes.map((attribute) => {
    const named = attribute.name === 'auth' ? accountName(cleanValue(attribute)) : undefined;
    const instead = named === undefined ? undefined : other(named);
    return instead === undefined || instead === named ? attribute : replaceValue(attribute, `SSO ${instead}`);
  });
  return { type: object.type, attributes };
}
