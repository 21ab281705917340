import { allOf, cleanValue, type Message, messages, type Place, type RpslObject, sortMessages } from '@cadastre/rpsl';
import { accountName } from './authenticate.js';
import { places } from './places.js';
import { type Preparation, refused } from './submission.js';

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
  const names = preparations.flatMap((p) => {
    const object = submittedObject(p);
    return object === undefined ? [] : allOf(object, 'auth').flatMap((a) => accountName(cleanValue(a)) ?? []);
  });
  return [...new Set(names.map((name) => name.toLowerCase()))];
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
    const named = places(object, 'auth').filter(({ attribute }) => accountName(cleanValue(attribute)) !== undefined);
    const unknown = named.flatMap((place) => unknownAccount(place, known) ?? []);
    const refusals = isMany && named.length > 0 ? [messages.manyUnknownAccounts(maxUnknown)] : unknown;
    return refusals.length === 0 ? preparation : refused(sortMessages([...others, ...refusals]), submitted);
  });
}

function unknownAccount(place: Place, known: KnownAccounts): Message | undefined {
  const name = accountName(cleanValue(place.attribute));
  return name === undefined || known.has(name.toLowerCase()) ? undefined : messages.noSuchAccount(name, place);
}

function submittedObject(preparation: Preparation): RpslObject | undefined {
  if (!preparation.ok) return undefined;
  const { prepared } = preparation;
  return prepared.verb === 'delete' ? prepared.expected : prepared.object;
}
