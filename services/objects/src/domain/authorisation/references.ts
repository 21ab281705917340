import {
  hasAttribute,
  type Message,
  messages,
  type ObjectTypeName,
  primaryKey,
  type Reference,
  type RpslObject,
  referencesOf,
  valuesOf,
} from '@cadastre/rpsl';
import type { Principal } from '../authenticate.js';
import { type Facts, refersTo } from '../facts.js';
import { findKnown, findMntner } from '../known-objects.js';
import { keyCertWarnings, proves } from '../prove.js';
import { isOperator } from './operator.js';
import { askMaintainers, candidateNames, findCandidates, type Strategy, writtenKey } from './strategy.js';

/**
 * A new reference to an object with `mnt-ref`, and to any organisation, needs a mntner of its `mnt-ref`. References
 * that the stored object already has are not checked again.
 */
export const protectedReferences: Strategy = ({ object, stored }, facts, principal) => {
  const targets = addedReferences(object, stored).flatMap(
    ({ types, key }) => findKnown(facts.before, types, key) ?? findKnown(facts.after, types, key) ?? [],
  );
  return [...new Set(targets)]
    .filter((target) => target.type === 'organisation' || hasAttribute(target, 'mnt-ref'))
    .flatMap((target) => askTarget(target, facts, principal));
};

function askTarget(target: RpslObject, facts: Facts, principal: Principal | undefined): Message[] {
  const missing = valuesOf(target, 'mnt-ref').filter((name) => findCandidates(facts, [name]).length === 0);
  return [
    ...missing.map((name) => messages.mntRefMissing(writtenKey(target), name)),
    ...askMaintainers(target, 'mnt-ref', facts, principal),
  ];
}

/** Naming irts (`mnt-irt`) needs the `auth` of one of them. Irts that the stored object names are not checked again. */
export const incidentTeams: Strategy = ({ object, key, stored }, facts, principal) => {
  const old = new Set(stored === undefined ? [] : names(stored));
  const teams = names(object)
    .filter((name) => !old.has(name))
    .flatMap((name) => findKnown(facts.before, ['irt'], name) ?? findKnown(facts.after, ['irt'], name) ?? []);
  return teams.length === 0 || teams.some((irt) => proves(irt, facts, principal))
    ? []
    : [
        messages.authorisationFailed(object.type, key.shown, 'mnt-irt', candidateNames(teams)),
        ...keyCertWarnings(teams, facts, principal),
      ];
};

function names(object: Parameters<typeof valuesOf>[0]): string[] {
  return valuesOf(object, 'mnt-irt').map((name) => name.toLowerCase());
}

/** Types that gain authority over the objects that name them. */
const trustedTypes: readonly ObjectTypeName[] = ['mntner', 'irt', 'key-cert'];

/** Whether a new object of this type needs the consent of all objects that name it already. */
export function isTrusted(type: ObjectTypeName): boolean {
  return trustedTypes.includes(type);
}

/** Maximum number of objects whose consent is checked. Beyond it, only the operator may create the name. */
export const maxConsents = 100;

/**
 * A new mntner, irt or key-cert whose name is already in stored objects (bulk loads add such names) needs the consent
 * of each of them, or the operator (decision W19): otherwise its creator could act for them. Only the operator creates
 * the operator's own mntners.
 */
export const namesInUse: Strategy = ({ object, key, stored }, facts, principal, policy) => {
  const { type } = object;
  if (!isTrusted(type) || stored !== undefined || isOperator(facts, principal, policy)) return [];
  const refusals = [...reserved(), ...inUse()];
  return refusals.length === 0 ? [] : [...refusals, messages.operatorsNeeded(policy.operatorMaintainers)];

  function reserved(): Message[] {
    const isOperators = policy.operatorMaintainers.some((name) => name.toLowerCase() === key.folded);
    return type === 'mntner' && isOperators ? [messages.maintainerIsOperators()] : [];
  }

  function inUse(): Message[] {
    const naming = facts.referrers
      .flatMap((referrer) => findKnown(facts.before, [referrer.type], foldedKey(referrer)) ?? [])
      .filter((holder) => refersTo(holder, type, key.folded));
    return naming.length > maxConsents
      ? [messages.isReferenced(type, key.shown)]
      : naming.flatMap((holder) => askHolder(holder, type, facts, principal));
  }
};

/**
 * Requires that the caller may consent for an object that names the new one. For a key-cert only its holder can
 * consent.
 */
function askHolder(
  holder: RpslObject,
  type: ObjectTypeName,
  facts: Facts,
  principal: Principal | undefined,
): Message[] {
  const itself = holder.type === 'mntner' || holder.type === 'irt' ? [holder] : [];
  const maintainers = valuesOf(holder, 'mnt-by').flatMap((name) => findMntner(facts.before, name) ?? []);
  const [attribute, requested] =
    type === 'key-cert' ? (['auth', itself] as const) : (['mnt-by', [...itself, ...maintainers]] as const);
  return requested.some((one) => proves(one, facts, principal))
    ? []
    : [
        messages.authorisationFailed(
          holder.type,
          writtenKey(holder),
          attribute,
          candidateNames([...new Set(requested)]),
        ),
      ];
}

function foldedKey(object: RpslObject): string {
  const key = primaryKey(object);
  return 'folded' in key ? key.folded : '';
}

/** References that need the target's consent by its `mnt-ref`. */
const protectedAttributes: ReadonlySet<string> = new Set([
  'abuse-c',
  'admin-c',
  'author',
  'mnt-by',
  'mnt-domains',
  'mnt-irt',
  'mnt-lower',
  'mnt-ref',
  'mnt-routes',
  'org',
  'ping-hdl',
  'tech-c',
  'zone-c',
]);

/** The protected references of an object that its stored state does not have, by attribute. */
export function addedReferences(object: RpslObject, stored: RpslObject | undefined): Reference[] {
  const identity = ({ attribute, key }: Reference) => `${attribute} ${key}`;
  const old = new Set(stored === undefined ? [] : referencesOf(stored).map(identity));
  return referencesOf(object).filter(
    (reference) => protectedAttributes.has(reference.attribute) && !old.has(identity(reference)),
  );
}
