import { fileURLToPath } from 'node:url';
import { keepRunning, type Supervised } from './keep-running.js';
import { type LogFile, openLog } from './log-files.js';
import { type NodeProcess, type NodeProgram, startNode } from './node-process.js';
import { type ReadyCheck, waitUntilReady } from './ready.js';
import type { ProgramName } from './run-settings.js';
import { StartFailure } from './start-failure.js';

/** How long services may take to start, one after the other on a busy machine, in milliseconds. */
export const startTimeoutMs = 180_000;

/** A service of the system, its process if it does not share one, and its readiness check. */
export interface ServicePlan {
  name: ProgramName;
  program: NodeProgram;
  ready: ReadyCheck;
  /** What it starts after. */
  after?: () => Promise<unknown>;
}

/** What the shared process receives for each service, as a line of JSON. */
export interface SharedService {
  name: ProgramName;
  /** Its environment. */
  env: Record<string, string | undefined>;
  /** File of its log. */
  log: string;
}

/** What the start of a service needs besides its plan. */
export interface Supervision {
  logDirectory: string;
  announce: (line: string) => void;
  stopping: AbortSignal;
}

/** Starts a service in a process of its own, waits until it is ready, and restarts it whenever it ends. */
export async function keepService(
  plan: ServicePlan,
  { logDirectory, announce, stopping }: Supervision,
): Promise<Supervised> {
  const { name, program } = plan;
  const log = await openLog(logDirectory, name);
  const start = () => startReady(program, log, stopping, (_, giveUp) => untilReady(plan, giveUp));
  await plan.after?.();
  return await keepRunning({ name, start, announce });
}

/**
 * Heap of the process of all services, in MiB: each service may need as much as it has alone, but not all at the same
 * time.
 */
const sharedHeapMb = 2_048;

/**
 * Starts services in one process, waits until all are ready, and restarts the process whenever it ends. Loads the code
 * of `names` while their plans are not complete yet.
 */
export async function keepServices(
  names: readonly ProgramName[],
  env: Record<string, string | undefined>,
  plans: () => Promise<readonly ServicePlan[]>,
  { logDirectory, announce, stopping }: Supervision,
): Promise<Supervised> {
  const name = 'services';
  const log = await openLog(logDirectory, name);
  const logs = new Map(
    await Promise.all(names.map(async (one) => [one, (await openLog(logDirectory, one)).file] as const)),
  );
  const file = fileURLToPath(new URL('services-main.js', import.meta.url));
  const program = { file, args: [...names], env, heapMb: sharedHeapMb };
  const begin = async (process: NodeProcess, plan: ServicePlan, giveUp: AbortSignal) => {
    await plan.after?.();
    const service: SharedService = { name: plan.name, env: plan.program.env, log: logs.get(plan.name)! };
    process.report(JSON.stringify(service));
    await untilReady(plan, giveUp);
  };
  const start = () =>
    startReady(program, log, stopping, async (process, giveUp) => {
      await Promise.all((await plans()).map((plan) => begin(process, plan, giveUp)));
    });
  return await keepRunning({ name, start, announce });
}

async function untilReady({ name, ready }: ServicePlan, giveUp: AbortSignal): Promise<void> {
  await waitUntilReady(ready, startTimeoutMs, giveUp).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
}

/** Starts a program. Kills it when `isReady` fails, whose signal aborts when the program ends or the system stops. */
async function startReady(
  program: NodeProgram,
  log: LogFile,
  stopping: AbortSignal,
  isReady: (started: NodeProcess, giveUp: AbortSignal) => Promise<void>,
): Promise<NodeProcess> {
  const started = startNode(program, log);
  const ended = new AbortController();
  void started.exited.then(() => ended.abort());
  try {
    await isReady(started, AbortSignal.any([ended.signal, stopping]));
    return started;
  } catch (error) {
    started.kill();
    const said = ended.signal.aborted ? await log.tail(3) : [(error as Error).message];
    throw new StartFailure([`did not start; its log is ${log.file}`, ...said].join('\n  '));
  }
}
