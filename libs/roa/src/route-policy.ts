import { nonAuthoritativeName } from '@cadastre/rpsl';
import { SettingsError, type Values } from '@cadastre/service';
import type { roaSettings } from './roa-settings.js';

const policies = ['hide', 'mark', 'show'] as const;

/** What answers do with the routes of a source that ROAs make invalid. */
export type InvalidRoutes = (typeof policies)[number];

/** The policy of a source, by its name in upper case. The non-authoritative part of the main source is one, too. */
export type RoutePolicy = (source: string) => InvalidRoutes;

/**
 * What an answer has room for: objects with a mark; a list of prefixes, origins or keys, without one; or everything,
 * because the client has requested so.
 */
export type RouteView = 'objects' | 'list' | 'everything';

/** Whether an answer leaves out the invalid routes of a source with this policy. */
export function leavesOutInvalid(policy: InvalidRoutes, view: RouteView): boolean {
  switch (view) {
    case 'everything':
      return false;
    case 'list':
      return policy !== 'show';
    case 'objects':
      return policy === 'hide';
  }
}

/** Whether objects of a source with this policy get a mark when they are shown, and ROAs make them invalid. */
export function marksInvalid(policy: InvalidRoutes): boolean {
  return policy !== 'show';
}

/**
 * Reads `CADASTRE_ROA_POLICY`. Without ROAs every policy is `show`. Parameters: the main source, and the names of all.
 * Errors: SettingsError for another word, and for a source that does not exist.
 */
export function chooseRoutePolicy(
  { roaSource, roaPolicy }: Pick<Values<typeof roaSettings>, 'roaSource' | 'roaPolicy'>,
  main: string,
  sources: readonly string[],
): RoutePolicy {
  let usual: InvalidRoutes = 'mark';
  const chosen = new Map<string, InvalidRoutes>();
  const problems: string[] = [];
  for (const entry of roaPolicy) {
    const [, name, word] = /^(?:([^=]*)=)?(.*)$/s.exec(entry)!;
    const policy = policies.find((one) => one === word);
    const source = name?.toUpperCase();
    if (policy === undefined) {
      problems.push(`CADASTRE_ROA_POLICY: "${entry}" must be POLICY or SOURCE=POLICY with ${policies.join(', ')}`);
    } else if (source === undefined) usual = policy;
    else if (sources.includes(source)) chosen.set(source, policy);
    else problems.push(`CADASTRE_ROA_POLICY: unknown source ${source}`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  if (roaSource === undefined) return () => 'show';
  const ofMain = chosen.get(main);
  const foreign = nonAuthoritativeName(main);
  if (ofMain !== undefined && !chosen.has(foreign)) chosen.set(foreign, ofMain);
  return (source) => chosen.get(source) ?? usual;
}
