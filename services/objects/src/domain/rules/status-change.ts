import type { Message, RpslObject } from '@cadastre/rpsl';
import type { Rule } from './rule.js';
import { misfits, type NetworkType, statusOf } from './status-hierarchy.js';

/** A status is for good: what hangs on it was checked when the network was made. */
function statusChange(id: string, type: NetworkType): Rule {
  return {
    id,
    types: [type],
    actions: ['modify'],
    profile: 'rir',
    check: ({ object, stored }) =>
      stored === undefined || statusOf(stored) === statusOf(object) || isSwitch(stored, object) ? [] : [unchangeable()],
  };
}

export const inetnumStatusChange = statusChange('P-INET-CHANGE', 'inetnum');
export const inet6numStatusChange = statusChange('P-INET6-CHANGE', 'inet6num');

/** An allocation may become one that is assigned as a whole, and back, where all fits around it. */
export const inetnumSwitch: Rule = {
  id: 'P-INET-SWITCH',
  types: ['inetnum'],
  actions: ['modify'],
  profile: 'rir',
  check: ({ object, stored }, { neighbours }) =>
    stored !== undefined && isSwitch(stored, object) ? misfits('inetnum', object, neighbours) : [],
};

const switchable: readonly string[] = ['ALLOCATED PA', 'ALLOCATED-ASSIGNED PA'];

/** Whether a modification is the one change of status that there is. */
export function isSwitch(stored: RpslObject, object: RpslObject): boolean {
  const statuses = [statusOf(stored), statusOf(object)];
  return object.type === 'inetnum' && switchable.every((status) => statuses.includes(status));
}

function unchangeable(): Message {
  return {
    severity: 'error',
    text: 'status value cannot be changed, you must delete and re-create the object',
    args: [],
  };
}
