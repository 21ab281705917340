import { readFile } from 'node:fs/promises';
import type { RegistryPlan } from '@cadastre/synthetic';
import { startBareFastify } from './bare-fastify.js';
import type { BenchSettings } from './bench-settings.js';
import { cpuUsEach, measureCpu } from './cpu-use.js';
import type { RunResult } from './load-generator.js';
import { type LoadThread, startLoadThread } from './load-thread.js';
import { hotPaths, lookupScenarios, type Scenario } from './lookup-scenarios.js';
import { median } from './statistics.js';
import type { TestedSystem } from './tested-system.js';

const warmUpSeconds = 0.7;

/** One measurement. */
interface Round extends RunResult {
  readonly perSecond: number;
  /** Microseconds of CPU for each request, by group of processes; `generator` is the load generator. */
  readonly cpuUs: Record<string, number>;
  /** CPU time of everything else on this machine, in percent of all its processors. */
  readonly foreignPercent: number;
}

/** Medians of all rounds. */
export interface LookupResult {
  readonly transport: Scenario['transport'];
  readonly format: Scenario['format'];
  readonly keys: Scenario['keys'];
  readonly limited: boolean;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  readonly cpuUs: Record<string, number>;
  readonly foreignPercent: number;
  /** Share of the requests per second of the bare Fastify in the same run. */
  readonly ofBare: number;
  readonly rounds: readonly Round[];
}

/** Lookups through the whole system and from a bare Fastify in turn; every other round in reverse order. */
export async function measureLookups(
  system: TestedSystem,
  plan: RegistryPlan,
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<LookupResult[]> {
  const bare = await startBareFastify(system, hotPaths(plan));
  const thread = startLoadThread();
  try {
    const certificate = await readFile(system.addresses.certificate, 'utf8');
    const scenarios = lookupScenarios(system, bare, plan, certificate, settings.connections);
    return summarise(scenarios, await measureInTurn(thread, scenarios, settings, say));
  } finally {
    await thread.stop();
    await bare.stop();
  }
}

async function measureInTurn(
  thread: LoadThread,
  scenarios: readonly Scenario[],
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<Map<Scenario, Round[]>> {
  const rounds = new Map<Scenario, Round[]>(scenarios.map((scenario) => [scenario, []]));
  const walked = new Map<Scenario, number>();
  for (let round = 0; round < settings.rounds; round += 1) {
    say(`Lookups, round ${round + 1} of ${settings.rounds}`);
    for (const scenario of round % 2 === 0 ? scenarios : scenarios.toReversed()) {
      const from = walked.get(scenario) ?? 0;
      const { asked, measured } = await measureOnce(thread, scenario, from, settings.seconds);
      walked.set(scenario, from + asked);
      rounds.get(scenario)?.push(measured);
    }
  }
  return rounds;
}

async function measureOnce(
  thread: LoadThread,
  scenario: Scenario,
  from: number,
  seconds: number,
): Promise<{ asked: number; measured: Round }> {
  await thread.open(scenario.target, scenario.paths, from);
  const warmUp = await thread.run(warmUpSeconds);
  const { result, cpu } = await measureCpu(scenario.pid, () => thread.run(seconds));
  await thread.close();
  return {
    asked: warmUp.requests + result.requests,
    measured: {
      ...result,
      perSecond: result.requests / result.seconds,
      cpuUs: { ...cpuUsEach(cpu, result.requests), generator: (result.cpuMs * 1000) / result.requests },
      foreignPercent: cpu.foreignPercent,
    },
  };
}

function summarise(scenarios: readonly Scenario[], rounds: ReadonlyMap<Scenario, readonly Round[]>): LookupResult[] {
  const middle = (scenario: Scenario, of: (round: Round) => number) => median((rounds.get(scenario) ?? []).map(of));
  const speed = (scenario: Scenario) => middle(scenario, ({ perSecond }) => perSecond);
  return scenarios.map((scenario) => {
    const { transport, format, keys, limited } = scenario;
    const own = rounds.get(scenario) ?? [];
    const bare = scenarios.find((one) => one.keys === 'bare' && one.transport === transport && one.format === format)!;
    const groups = Object.keys(own[0]?.cpuUs ?? {});
    return {
      transport,
      format,
      keys,
      limited,
      perSecond: speed(scenario),
      p50Ms: middle(scenario, ({ p50Ms }) => p50Ms),
      p99Ms: middle(scenario, ({ p99Ms }) => p99Ms),
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
      cpuUs: Object.fromEntries(groups.map((group) => [group, middle(scenario, ({ cpuUs }) => cpuUs[group] ?? 0)])),
      foreignPercent: middle(scenario, ({ foreignPercent }) => foreignPercent),
      ofBare: speed(scenario) / speed(bare),
      rounds: own,
    };
  });
}
