import type { RoaState } from '../api/roa-states.js';

/** The state of a route about which the search had no warning. A registry without ROAs does not check it. */
export function RoaText({ state }: { readonly state: RoaState | undefined }) {
  if (state === 'valid') return <span class="chip">ROA valid</span>;
  if (state === 'invalid') return <span class="chip warn">ROA invalid</span>;
  return <>{state === 'not-found' ? 'No ROA covers it' : 'ROAs not checked'}</>;
}

/**
 * The registry's warning about a route that a ROA makes invalid, in short: "AS64511 may originate 192.0.2.0/24, at most
 * /24". Other texts remain.
 */
export function shortConflict(warning: string): string {
  const [, prefix, length, origin] =
    /a prefix (\S+) and a (?:less specific )?maximum length \/(\d+) (?:but|and) .*origin AS(\d+)\b/.exec(warning) ?? [];
  if (prefix === undefined) return warning;
  return origin === '0' ? `nobody may originate ${prefix}` : `AS${origin} may originate ${prefix}, at most /${length}`;
}
