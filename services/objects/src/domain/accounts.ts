import { allOf, cleanValue, messages, type RpslObject, replaceValue, sortMessages } from '@cadastre/rpsl';
import { accountName } from './authenticate.js';
import { type Preparation, refused } from './change.js';
import { places } from './places.js';

/** The existing accounts, by lower-case name. */
export type KnownAccounts = ReadonlyMap<string, { readonly id: string }>;

/**
 * Maximum number of accounts that the objects of one write may name. The auth service queries the identity provider for
 * each; maintainers with hundreds of people use several mntners.
 */
export const maxAccounts = 200;

/** Maximum number of unknown accounts that the answer to a write names: guessing names reveals no more of them. */
const maxUnknown = 10;

/** The account names in the objects of a write, in lower case. */
export function submittedAccountNames(preparations: readonly Preparation[]): string[] {
  const objects = preparations.flatMap((preparation) => {
    if (!preparation.ok) return [];
    const { prepared } = preparation;
    return (prepared.verb === 'delete' ? prepared.expected : prepared.object) ?? [];
  });
  return [...new Set(objects.flatMap(namedAccounts).map((name) => name.toLowerCase()))];
}

/**
 * Refuses the objects of a write whose `auth: SSO` lines name accounts that do not exist (rule G-SSO-ACCOUNT, decision
 * W14). With more than `maxUnknown` of these, refuses all objects with such lines, and names no account.
 */
export function checkAccounts(preparations: readonly Preparation[], known: KnownAccounts): Preparation[] {
  const isMany = submittedAccountNames(preparations).filter((name) => !known.has(name)).length > maxUnknown;
  return preparations.map((preparation) => {
    if (!preparation.ok || preparation.prepared.verb === 'delete') return preparation;
    const { messages: others, object, submitted } = preparation.prepared;
    const named = places(object, 'auth').flatMap((place) => {
      const name = accountName(cleanValue(place.attribute));
      return name === undefined ? [] : [{ name, place }];
    });
    const unknown = named.filter(({ name }) => !known.has(name.toLowerCase()));
    const refusals =
      isMany && named.length > 0
        ? [messages.manyUnknownAccounts(maxUnknown)]
        : unknown.map(({ name, place }) => messages.noSuchAccount(name, place));
    return refusals.length === 0 ? preparation : refused(sortMessages([...others, ...refusals]), submitted);
  });
}

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
