import { join } from 'node:path';
import { registryPlan } from '@cadastre/synthetic';
import { checkOutBase } from './base-checkout.ts';
import { type Contest, runContests } from './contests.ts';
import { writeDump } from './dump-file.ts';
import { whoisContests } from './full-contests.ts';
import { type LoadThread, startLoadThread } from './load-thread.ts';
import { loadDump } from './measure-load.ts';
import { quickReport } from './quick-report.ts';
import { readRevision } from './revision.ts';
import {
  geoScenarios,
  hotLookups,
  missingLookups,
  rdapLookups,
  type Scenario,
  searchScenarios,
  uniformLookups,
} from './scenarios.ts';
import { httpSide, type Side, serverOf } from './sides.ts';
import type { Surroundings } from './surroundings.ts';
import { startTestedSystem, type TestedSystem } from './tested-system.ts';
import { setForFilters } from './whois-scenarios.ts';
import { objectsForWrites, writeScenarios } from './write-scenarios.ts';

const source = 'TEST';
const clients = 16;
const searches = ['exact', 'nearest enclosing', 'inverse origin', 'name'];
const rdap = ['ip, uniform', 'domain, uniform'];
const lines = ['`-r -x` of a network', '`!g`', '`!a4` of a large set'];

/** Compares this working tree with another commit and returns the table. */
export async function compareCommits(around: Surroundings): Promise<string> {
  const { settings, directory, say, onEnd } = around;
  const { base: baseRevision, objects, seed, rounds, seconds } = settings;
  const base = await checkOutBase(baseRevision, join(directory, 'base'), { say, onEnd });
  const head = await readRevision();
  const dump = join(directory, 'dump.rpsl');
  await writeDump(
    dump,
    { objects, seed, source },
    [...objectsForWrites(), ...setForFilters({ objects, seed, source })],
    say,
  );
  const start = async (name: string, code?: string) => {
    say(`Starting ${name}`);
    const data = join(directory, `data-${name}`);
    const system = await startTestedSystem({ directory: data, say, onEnd, ...(code === undefined ? {} : { code }) });
    await loadDump(system, dump, source, say);
    return system;
  };
  const systems = { base: await start('base', base.directory), head: await start('head') };
  const thread = startLoadThread();
  onEnd(thread.stop);
  const sides = {
    base: await quickSides(thread, systems.base, around),
    head: await quickSides(thread, systems.head, around),
  };
  const contests = [...sides.base].map(
    ([name, side]): Contest<'base' | 'head'> => ({
      name,
      sides: { base: side, head: sides.head.get(name)! },
    }),
  );
  const results = await runContests(contests, { what: 'Comparison', rounds, seconds, say });
  return quickReport(results, {
    base: base.commit,
    head: `${head.commit}${head.dirty ? ' with uncommitted changes' : ''}`,
    objects,
    rounds,
    seconds,
  });
}

/** The requests of the quick form to one system, by name. */
async function quickSides(
  thread: LoadThread,
  system: TestedSystem,
  { settings: { objects, seed } }: Surroundings,
): Promise<Map<string, Side>> {
  const plan = registryPlan({ objects, seed, source });
  const scenarios: Scenario[] = [
    hotLookups(plan, 'json'),
    uniformLookups(plan, 'json', 0),
    missingLookups(plan, 0),
    ...searchScenarios(plan).filter(({ name }) => searches.includes(name)),
    ...geoScenarios(plan),
    ...rdapLookups(plan).flatMap((one) => (rdap.includes(one.name) ? [{ ...one.rdap, name: `RDAP ${one.name}` }] : [])),
    ...writeScenarios(system.credential, clients).filter(({ name }) => name === 'create person'),
  ];
  const server = await serverOf(system);
  const side = (scenario: Scenario) => {
    const https = scenario.request(0).method !== 'GET';
    return httpSide(thread, server, scenario, { connections: clients, https, limited: !https });
  };
  const requested = { plan, thread, server };
  const { beside, alone } = whoisContests(requested, system.addresses.whois);
  const whois = [...beside, ...alone]
    .filter(({ name }) => lines.includes(name))
    .map(({ name, sides }) => [name, sides.system] as const);
  return new Map([...scenarios.map((scenario) => [scenario.name, side(scenario)] as const), ...whois]);
}
