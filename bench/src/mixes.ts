import type { RegistryPlan } from '@cadastre/synthetic';
import { deal, type Part } from './deal.ts';
import { hotLookups, missingLookups, type Scenario, searchScenarios, uniformLookups } from './scenarios.ts';
import type { WhoisScenario, WhoisScenarios } from './whois-scenarios.ts';
import { writeScenarios } from './write-scenarios.ts';

const distinct = 2_000_000;
const maxPerSecond = 10_000;
/** Numbers of objects that no other kind creates. */
const firstCreated = 150_000;

const searches = ['exact', 'nearest enclosing', 'default flags', 'inverse origin'];

/**
 * Mixed requests of the clients of a registry: lookups, nine tenths of them of the same few objects and most as XML,
 * the default of the interface; searches; every tenth request writes.
 */
export function restMix(plan: RegistryPlan, credential: string): Scenario {
  const writes = new Map(writeScenarios(credential, 16).map((scenario) => [scenario.name, scenario]));
  const next = deal<Scenario>([
    { of: hotLookups(plan, 'xml'), share: 8 },
    { of: hotLookups(plan, 'json'), share: 4 },
    { of: uniformLookups(plan, 'json', 5 / 6), share: 1 },
    { of: missingLookups(plan, 3 / 4), share: 1 },
    ...searchScenarios(plan)
      .filter(({ name }) => searches.includes(name))
      .map((of) => ({ of, share: 1 })),
    { of: { ...writes.get('create person')!, first: firstCreated }, share: 1 },
    { of: writes.get('update person')!, share: 1 },
  ]);
  return {
    name: 'REST, a tenth of it writes',
    distinct,
    maxPerSecond,
    statuses: [],
    request(n) {
      const { of: kind, number } = next(n);
      return { ...kind.request(((kind.first ?? 0) + number) % kind.distinct), statuses: kind.statuses };
    },
  };
}

/** Requests of people, scripts and irrtoolset to a RIPE-style server. */
export function ripeMix({ keys, networks, addresses, routesOf, missing }: WhoisScenarios): WhoisScenario {
  return whoisMix('RIPE-style queries', [
    { of: addresses, share: 8 },
    { of: keys, share: 4 },
    { of: networks, share: 4 },
    { of: routesOf, share: 2 },
    { of: missing, share: 2 },
  ]);
}

/** Requests of bgpq4 to an IRRd-style server: the members of a set, then the prefixes of each AS number. */
export function filterMix({ members, origins, origins6 }: WhoisScenarios): WhoisScenario {
  return whoisMix('commands for filters', [
    { of: members, share: 1 },
    { of: origins, share: 4 },
    { of: origins6, share: 4 },
  ]);
}

function whoisMix(name: string, parts: readonly Part<WhoisScenario>[]): WhoisScenario {
  const next = deal(parts);
  return {
    name,
    question(n) {
      const { of: kind, number } = next(n);
      return kind.question(number);
    },
  };
}
