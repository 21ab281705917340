import type { RegistryPlan } from '@cadastre/synthetic';
import type pg from 'pg';
import type { BareFastify } from './bare-fastify.ts';
import type { Contest } from './contests.ts';
import type { LoadThread } from './load-thread.ts';
import { indexedTable } from './measure-copy.ts';
import { filterMix, restMix, ripeMix } from './mixes.ts';
import {
  type Format,
  geoScenarios,
  hotLookups,
  missingLookups,
  rdapLookups,
  type Scenario,
  searchScenarios,
  uniformLookups,
} from './scenarios.ts';
import { httpSide, type Server, type Side, workSide } from './sides.ts';
import { limitedAddress, type TestedSystem } from './tested-system.ts';
import { type WhoisScenario, whoisScenarios } from './whois-scenarios.ts';
import { whoisSide } from './whois-side.ts';
import { writeScenarios, writingClients } from './write-scenarios.ts';

/** The system beside the upper limit of the machine, or without a ceiling. */
export type FullContest = Contest<'system' | 'ceiling'>;
export type AloneContest = Contest<'system'>;

/** Those of port 43. */
export interface WhoisContests {
  readonly beside: readonly FullContest[];
  readonly alone: readonly AloneContest[];
}

/** Clients of searches, of abuse contacts and of geolocation. */
export const searchClients = 16;

/** The data of the requests, and the means to send them. */
export interface Requested {
  readonly plan: RegistryPlan;
  readonly server: Server;
  readonly thread: LoadThread;
}

/** The paths that a bare Fastify must know for `lookupContests`; the last one is that of a missing object. */
export function recordedPaths(plan: RegistryPlan): string[] {
  const hot = (['json', 'xml'] as const).map((format) => hotLookups(plan, format));
  const paths = hot.flatMap(({ distinct, request }) => Array.from({ length: distinct }, (_, n) => request(n).path));
  return [...paths, missingLookups(plan, 0).request(0).path];
}

/** Lookups with all limits on, beside a bare Fastify that has the responses of hot keys in memory. */
export function lookupContests(
  { plan, server, thread }: Requested,
  bare: BareFastify,
  connections: number,
): FullContest[] {
  const beside = (ours: Scenario, theirs: Scenario, https: boolean, limited = true) => ({
    system: httpSide(thread, server, ours, { connections, https, limited }),
    ceiling: httpSide(thread, bare, theirs, { connections, https }),
  });
  const kinds = (https: boolean, format: Format, part: number): FullContest[] => {
    const label = `${https ? 'HTTPS' : 'HTTP'} ${format.toUpperCase()}`;
    const hot = hotLookups(plan, format);
    return [
      { name: `hot, ${label}`, sides: beside(hot, hot, https) },
      { name: `uniform, ${label}`, sides: beside(uniformLookups(plan, format, part), hot, https) },
    ];
  };
  const missing = (https: boolean, part: number): FullContest => {
    const scenario = missingLookups(plan, part);
    return { name: `missing (404), ${https ? 'HTTPS' : 'HTTP'} JSON`, sides: beside(scenario, scenario, https) };
  };
  const hot = hotLookups(plan, 'json');
  return [
    ...kinds(false, 'json', 0),
    missing(false, 0),
    ...kinds(true, 'json', 1 / 3),
    missing(true, 1 / 2),
    ...kinds(false, 'xml', 2 / 3),
    { name: 'hot, HTTP JSON, no limits', sides: beside(hot, hot, false, false) },
  ];
}

/** Objects by RDAP, beside lookups of the same objects by REST. */
export function rdapContests({ plan, server, thread }: Requested, connections: number): FullContest[] {
  const options = { connections, limited: true };
  return rdapLookups(plan).map(({ name, rdap, rest }) => ({
    name: `RDAP ${name}`,
    sides: { system: httpSide(thread, server, rdap, options), ceiling: httpSide(thread, server, rest, options) },
    halfLoad: 'system',
  }));
}

/** Lines of port 43: queries beside the same queries by REST, and commands of programs that make filters. */
export function whoisContests({ plan, server, thread }: Requested, address: string): WhoisContests {
  const { keys, networks, addresses, members, origins, largeSet } = whoisScenarios(plan);
  const side = sideOfPort43(server, address);
  const beside = (scenario: WhoisScenario, rest: Scenario): FullContest => ({
    name: scenario.name,
    sides: {
      system: side(scenario, searchClients),
      ceiling: httpSide(thread, server, rest, { connections: searchClients, limited: true }),
    },
  });
  const alone = (scenario: WhoisScenario, connections: number): AloneContest => ({
    name: scenario.name,
    sides: { system: side(scenario, connections) },
  });
  const ofNetworks = rdapLookups(plan).find(({ name }) => name === 'ip, uniform')!.rest;
  const ofAddresses = searchScenarios(plan).find(({ name }) => name === 'default flags')!;
  return {
    beside: [
      beside(keys, uniformLookups(plan, 'json', 1 / 6)),
      beside(networks, ofNetworks),
      beside(addresses, ofAddresses),
    ],
    alone: [alone(origins, searchClients), alone(members, searchClients), alone(largeSet, 1)],
  };
}

function sideOfPort43({ roots }: Server, address: string) {
  return (scenario: WhoisScenario, connections: number): Side =>
    whoisSide(scenario, { address, roots, connections, localAddress: limitedAddress });
}

/** Mixed requests of clients of different kinds. */
export function mixContests(
  { plan, server, thread }: Requested,
  { credential, addresses: { whois } }: Pick<TestedSystem, 'credential' | 'addresses'>,
  connections: number,
): AloneContest[] {
  const side = sideOfPort43(server, whois);
  const lines = whoisScenarios(plan);
  const rest = restMix(plan, credential);
  return [
    {
      name: rest.name,
      sides: { system: httpSide(thread, server, rest, { connections, https: true, limited: true }) },
      halfLoad: 'system',
    },
    ...[ripeMix(lines), filterMix(lines)].map(
      (mix): AloneContest => ({
        name: mix.name,
        sides: { system: side(mix, searchClients) },
      }),
    ),
  ];
}

/** Searches beside lookups of networks by key without a cache: the minimum cost of a search. */
export function searchContests({ plan, server, thread }: Requested): FullContest[] {
  const options = { connections: searchClients, limited: true };
  const lookups = rdapLookups(plan).find(({ name }) => name === 'ip, uniform')!.rest;
  return searchScenarios(plan).map((scenario) => ({
    name: scenario.name,
    sides: { system: httpSide(thread, server, scenario, options), ceiling: httpSide(thread, server, lookups, options) },
    halfLoad: 'system',
  }));
}

/** The same searches without a ceiling. */
export function searchContestsAlone(requested: Requested): AloneContest[] {
  return searchScenarios(requested.plan).map((scenario) => alone(requested, scenario, searchClients));
}

/** Requests for abuse contacts and geolocation. */
export function geoContests(requested: Requested): AloneContest[] {
  return geoScenarios(requested.plan).map((scenario) => ({
    ...alone(requested, scenario, searchClients),
    halfLoad: 'system' as const,
  }));
}

/** Each kind of read by one client, for its latency. */
export function oneClientContests(requested: Requested): AloneContest[] {
  const { plan } = requested;
  const scenarios = [
    { ...uniformLookups(plan, 'json', 1 / 2), name: 'uniform lookup' },
    ...searchScenarios(plan),
    ...geoScenarios(plan),
  ];
  return scenarios.map((scenario) => alone(requested, scenario, 1));
}

function alone({ server, thread }: Requested, scenario: Scenario, connections: number): AloneContest {
  return {
    name: scenario.name,
    sides: { system: httpSide(thread, server, scenario, { connections, limited: true }) },
  };
}

/** Writes over HTTPS by each number of clients. */
export function writeContests({ server, thread }: Requested, credential: string): AloneContest[] {
  return writingClients.flatMap((clients) =>
    writeScenarios(credential, clients).map((scenario) => ({
      name: writeName(scenario.name, clients),
      sides: { system: httpSide(thread, server, scenario, { connections: clients, https: true }) },
    })),
  );
}

/** "create person by 16". */
export function writeName(what: string, clients: number): string {
  return `${what} by ${clients}`;
}

const copiedRows = 100_000;

/** The limit of the database: inserts copies of stored rows into another table, one durable transaction each. */
export function insertContests(database: pg.Pool, { pid }: TestedSystem): AloneContest[] {
  const prepare = async () => {
    await database.query(`truncate ${indexedTable}`);
    const { rows } = await database.query<{ source_id: number; type: number; key: string }>(
      'select source_id, type, key from objects.object limit $1',
      [copiedRows],
    );
    const text = `insert into ${indexedTable}
      select * from objects.object where source_id = $1 and type = $2 and key = $3 on conflict do nothing`;
    return {
      async work(n: number) {
        const { source_id, type, key } = rows[n % rows.length]!;
        await database.query({ name: 'insert', text, values: [source_id, type, key] });
      },
    };
  };
  return writingClients.map((clients): AloneContest => {
    const system: Side = workSide({ roots: [pid], clients }, prepare);
    return { name: writeName('insert a row', clients), sides: { system } };
  });
}
