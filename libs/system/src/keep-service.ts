import { keepRunning, type Supervised } from './keep-running.js';
import { type LogFile, openLog } from './log-files.js';
import { type NodeProcess, type NodeProgram, startNode } from './node-process.js';
import { type ReadyCheck, waitUntilReady } from './ready.js';
import { StartFailure } from './start-failure.js';

const startTimeoutMs = 60_000;

/** A process of the system and its readiness check. */
export interface ServicePlan {
  name: string;
  program: NodeProgram;
  ready: ReadyCheck;
}

/** Starts a service, waits until it is ready, and restarts it whenever it ends. */
export async function keepService(
  plan: ServicePlan,
  logDirectory: string,
  announce: (line: string) => void,
  stopping: AbortSignal,
): Promise<Supervised> {
  const log = await openLog(logDirectory, plan.name);
  return await keepRunning({ name: plan.name, start: () => startReady(plan, log, stopping), announce });
}

async function startReady(plan: ServicePlan, log: LogFile, stopping: AbortSignal): Promise<NodeProcess> {
  const started = startNode(plan.program, log);
  const ended = new AbortController();
  void started.exited.then(() => ended.abort());
  try {
    await waitUntilReady(plan.ready, startTimeoutMs, AbortSignal.any([ended.signal, stopping]));
    return started;
  } catch (error) {
    started.kill();
    const said = ended.signal.aborted ? await log.tail(3) : [(error as Error).message];
    throw new StartFailure([`did not start; its log is ${log.file}`, ...said].join('\n  '));
  }
}
