import { readFile } from 'node:fs/promises';
import type { RegistryPlan } from '@cadastre/synthetic';
import { startBareFastify } from './bare-fastify.js';
import type { BenchSettings } from './bench-settings.js';
import { cpuUsEach, measureCpu } from './cpu-use.js';
import type { RunResult, Target } from './load-generator.js';
import { type LoadThread, startLoadThread } from './load-thread.js';
import { type Format, lookupPaths } from './requests.js';
import { median } from './statistics.js';
import type { TestedSystem } from './tested-system.js';

const hotKeys = 1000;
/** So many that no object is asked for again while it could still be in a cache. */
const uniformKeys = 150_000;
const warmUpSeconds = 0.7;

/** One kind of lookup against one server. */
interface Scenario {
  readonly transport: 'HTTP' | 'HTTPS';
  readonly format: Format;
  /** `bare`: the hot keys, asked of a bare Fastify that has the answers in memory. */
  readonly keys: 'hot' | 'uniform' | 'bare';
  readonly target: Target;
  readonly paths: readonly string[];
  /** The process whose descendants answer. */
  readonly pid: number;
}

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
  readonly transport: string;
  readonly format: Format;
  readonly keys: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  readonly cpuUs: Record<string, number>;
  readonly foreignPercent: number;
  /** Share of the requests per second that the bare Fastify answers in the same run. */
  readonly ofBare: number;
  readonly rounds: readonly Round[];
}

/** Lookups through the whole system and from a bare Fastify in turn, in the opposite order every other round. */
export async function measureLookups(
  system: TestedSystem,
  plan: RegistryPlan,
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<LookupResult[]> {
  const formats: Format[] = ['json', 'xml'];
  const hot = new Map(formats.map((format) => [format, lookupPaths(plan, format, hotKeys)]));
  const uniform = new Map(formats.map((format) => [format, lookupPaths(plan, format, uniformKeys)]));
  const bare = await startBareFastify(system, [...hot.values()].flat());
  const certificate = await readFile(system.addresses.certificate, 'utf8');
  const thread = startLoadThread();
  try {
    const scenario = (transport: Scenario['transport'], format: Format, keys: Scenario['keys']): Scenario => {
      const server = keys === 'bare' ? bare : system.addresses;
      const url = new URL(transport === 'HTTP' ? server.http : server.https);
      return {
        transport,
        format,
        keys,
        target: {
          host: url.hostname,
          port: Number(url.port),
          ...(transport === 'HTTPS' && { certificate }),
          connections: settings.connections,
        },
        paths: (keys === 'uniform' ? uniform : hot).get(format) ?? [],
        pid: keys === 'bare' ? bare.pid : system.pid,
      };
    };
    const scenarios = (['HTTP', 'HTTPS'] as const).flatMap((transport) =>
      formats.flatMap((format) =>
        (['bare', 'hot', 'uniform'] as const).map((keys) => scenario(transport, format, keys)),
      ),
    );
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
      const { warmUp, measured } = await measureOnce(thread, scenario, from, settings.seconds);
      walked.set(scenario, from + warmUp.requests + measured.requests);
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
): Promise<{ warmUp: RunResult; measured: Round }> {
  await thread.open(scenario.target, scenario.paths, from);
  const warmUp = await thread.run(warmUpSeconds);
  const { result, cpu } = await measureCpu(scenario.pid, () => thread.run(seconds));
  await thread.close();
  return {
    warmUp,
    measured: {
      ...result,
      perSecond: result.requests / result.seconds,
      cpuUs: { ...cpuUsEach(cpu, result.requests), generator: (result.cpuMs * 1000) / result.requests },
      foreignPercent: cpu.foreignPercent,
    },
  };
}

function summarise(scenarios: readonly Scenario[], rounds: ReadonlyMap<Scenario, readonly Round[]>): LookupResult[] {
  const speed = (scenario: Scenario | undefined) =>
    median((scenario && rounds.get(scenario))?.map(({ perSecond }) => perSecond) ?? []);
  return scenarios.map((scenario) => {
    const own = rounds.get(scenario) ?? [];
    const bare = scenarios.find(
      ({ transport, format, keys }) =>
        keys === 'bare' && transport === scenario.transport && format === scenario.format,
    );
    const middle = (of: (round: Round) => number) => median(own.map(of));
    const groups = Object.keys(own[0]?.cpuUs ?? {});
    return {
      transport: scenario.transport,
      format: scenario.format,
      keys: scenario.keys,
      perSecond: speed(scenario),
      p50Ms: middle(({ p50Ms }) => p50Ms),
      p99Ms: middle(({ p99Ms }) => p99Ms),
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
      cpuUs: Object.fromEntries(groups.map((group) => [group, middle(({ cpuUs }) => cpuUs[group] ?? 0)])),
      foreignPercent: middle(({ foreignPercent }) => foreignPercent),
      ofBare: speed(scenario) / speed(bare),
      rounds: own,
    };
  });
}
