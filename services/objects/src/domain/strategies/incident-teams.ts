import { messages, valuesOf } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import { keyCertWarnings, proves } from '../prove.js';
import { candidateNames } from './candidates.js';
import type { Strategy } from './strategy.js';

/** Who names incident response teams is one of them: the irt's own `auth` counts. Those named before are not asked. */
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
