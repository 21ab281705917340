import { messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { keyCertName } from '../authenticate.js';
import { findKnown } from '../known-objects.js';
import { proves } from '../prove.js';
import { candidateNames, shownKey } from './candidates.js';
import { isOperator } from './registry-operator.js';
import type { Strategy } from './strategy.js';

/**
 * A new key-cert under a name that stands in `auth` of stored mntners and irts already (which came by a bulk load) needs
 * each of them, or the operator: whoever made it could else act for them, and names of PGP keys are easily repeated.
 */
export const namingMaintainers: Strategy = ({ object, key, stored }, facts, principal, policy) => {
  if (object.type !== 'key-cert' || stored !== undefined || isOperator(facts, principal, policy)) {
    return [];
  }
  const naming = facts.referrers
    .flatMap((referrer) => findKnown(facts.before, [referrer.type], shownKey(referrer).toLowerCase()) ?? [])
    .filter((holder) => namesKeyCert(holder, key.folded));
  return naming
    .filter((holder) => !proves(holder, facts, principal))
    .map((holder) => messages.authorisationFailed(holder.type, shownKey(holder), 'auth', candidateNames([holder])));
};

function namesKeyCert(holder: RpslObject, name: string): boolean {
  return valuesOf(holder, 'auth').some((auth) => keyCertName(auth) === name);
}
