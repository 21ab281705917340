import type { Consumer, WindowCount } from './consumer.js';
import { newCount } from './count.js';
import type { LimitName } from './limit-policy.js';

/** The limits on what is counted; requests at the same time come and go. */
export type CountedLimit = Exclude<LimitName, 'concurrent-requests'>;

/** What is counted in windows: also the seconds in which a client was refused. */
export type Counted = CountedLimit | 'refusals';

const second = 1000;
const minute = 60 * second;

/** Windows begin at whole multiples of their length, in milliseconds since 1970: days at midnight UTC. */
export const windowLengths: Readonly<Record<Counted, number>> = {
  'personal-objects': 24 * 60 * minute,
  queries: second,
  updates: second,
  'failed-credentials': minute,
  refusals: 10 * minute,
};

/** The count of the window that `now` (milliseconds since 1970) is in; begins a new one when the last has ended. */
export function windowOf({ id, usage }: Consumer, name: Counted, now: number): WindowCount {
  const length = windowLengths[name];
  const window = Math.floor(now / length);
  const current = usage.windows.get(name);
  if (current?.window === window) return current;
  const next = { ...newCount(`${id}:${name}:${window}`, usage.part, 'sum', (window + 1) * length), window };
  usage.windows.set(name, next);
  return next;
}
