import { cpuUsEach, measureCpu } from './cpu-use.ts';
import { startProgress } from './progress.ts';
import type { Side } from './sides.ts';
import { median } from './statistics.ts';

const maxWarmUpSeconds = 0.5;

/** Sides that do the same work, to be measured in turns. */
export interface Contest<Name extends string = string> {
  readonly name: string;
  readonly sides: Readonly<Record<Name, Side>>;
  /** The side that is also measured at half of the rate that it reaches. */
  readonly halfLoad?: NoInfer<Name>;
  /** Requests per second that all sides get; absent: as many as they answer. */
  readonly perSecond?: number;
}

/** One measurement. */
export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of responses with an unexpected status. */
  readonly failures: number;
  /** One of them. */
  readonly failure?: string;
  /** Microseconds of CPU for each request, by program, without the load generator. */
  readonly cpuUs: Readonly<Record<string, number>>;
  /** The same for the thread of the load generator. */
  readonly generatorUs: number;
  /** CPU time of all other programs on this machine, in percent of all its processors. */
  readonly foreignPercent: number;
}

/** The measurements of a contest, one for each round. */
export interface ContestResult<Name extends string = string> {
  readonly name: string;
  readonly sides: Readonly<Record<Name, readonly Figures[]>>;
  /** At half load. */
  readonly half: readonly Figures[];
}

interface Options {
  /** Name of the contests, for the lines of progress. */
  readonly what: string;
  readonly rounds: number;
  /** Length of a measurement. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** Measures all contests in each round, and the sides of each in turn; in every second round in reverse order. */
export async function runContests<Name extends string>(
  contests: readonly Contest<Name>[],
  { what, rounds, seconds, say }: Options,
): Promise<ContestResult<Name>[]> {
  const results = contests.map((contest) => ({ contest, sides: new Map<Name, Figures[]>(), half: [] as Figures[] }));
  const walked = new Map<Side, number>();
  const names = ({ sides }: Contest<Name>) => Object.keys(sides) as Name[];
  const total = rounds * contests.reduce((sum, one) => sum + names(one).length + (one.halfLoad ? 1 : 0), 0);
  const progress = startProgress(say, what, total);
  let done = 0;
  const measure = async (side: Side, perSecond?: number) => {
    const from = walked.get(side) ?? side.first;
    const { requested, figures } = await measureOnce(side, from, seconds, perSecond);
    walked.set(side, from + requested);
    progress(++done);
    return figures;
  };
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = <T>(list: readonly T[]) => (round % 2 === 0 ? list : list.toReversed());
    say(`${what}, round ${round + 1} of ${rounds}`);
    for (const { contest, sides, half } of inTurn(results)) {
      for (const name of inTurn(names(contest))) {
        const figures = await measure(contest.sides[name], contest.perSecond);
        if (figures.failures > 0) say(`${contest.name} (${name}): ${figures.failures} failed, ${figures.failure}`);
        sides.set(name, [...(sides.get(name) ?? []), figures]);
      }
      const name = contest.halfLoad;
      if (name) half.push(await measure(contest.sides[name], sides.get(name)!.at(-1)!.perSecond / 2));
    }
  }
  return results.map(({ contest: { name }, sides, half }) => ({
    name,
    sides: Object.fromEntries(sides) as Record<Name, Figures[]>,
    half,
  }));
}

async function measureOnce(side: Side, from: number, seconds: number, perSecond?: number) {
  const warmUpSeconds = Math.min(maxWarmUpSeconds, seconds / 3);
  const opened = await side.open(from, warmUpSeconds + seconds);
  const warmUp = await opened.run(warmUpSeconds, perSecond);
  const { result, cpu } = await measureCpu(side.roots, () => opened.run(seconds, perSecond));
  await opened.close();
  const { requests, p50Ms, p99Ms, failures, failure } = result;
  const figures: Figures = {
    requests,
    perSecond: requests / result.seconds,
    p50Ms,
    p99Ms,
    failures,
    ...(failure === undefined ? {} : { failure }),
    cpuUs: cpuUsEach(cpu, requests),
    generatorUs: (result.cpuMs * 1000) / requests,
    foreignPercent: cpu.foreignPercent,
  };
  return { requested: warmUp.requests + requests, figures };
}

/** The medians of several rounds. */
export function middleOf(rounds: readonly Figures[]): Figures {
  const middle = (of: (round: Figures) => number) => median(rounds.map(of));
  const programs = Object.keys(rounds[0]?.cpuUs ?? {});
  return {
    requests: middle(({ requests }) => requests),
    perSecond: middle(({ perSecond }) => perSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    cpuUs: Object.fromEntries(programs.map((program) => [program, middle(({ cpuUs }) => cpuUs[program] ?? 0)])),
    generatorUs: middle(({ generatorUs }) => generatorUs),
    foreignPercent: middle(({ foreignPercent }) => foreignPercent),
  };
}

/** Microseconds of CPU of all programs for one request. */
export function totalCpuUs({ cpuUs }: Figures): number {
  return Object.values(cpuUs).reduce((sum, us) => sum + us, 0);
}
