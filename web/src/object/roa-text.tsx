import type { RoaState } from '../api/roa-states.js';

/** The state of a route about which the search had no warning. A registry without ROAs does not check it. */
export function RoaText({ state }: { readonly state: RoaState | undefined }) {
  if (state === 'valid') return <span class="chip">ROA valid</span>;
  if (state === 'invalid') return <span class="chip warn">ROA invalid</span>;
  return <>{state === 'not-found' ? 'No ROA covers it' : 'ROAs not checked'}</>;
}
