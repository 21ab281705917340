import { type ChildProcess, spawn } from 'node:child_process';
import { endOfProcess, withParent } from '@cadastre/service';
import type { Running } from './keep-running.js';
import type { LogFile } from './log-files.js';

/** Loaded first when tracing is on. */
const tracing = '@cadastre/service/tracing';

const stopTimeoutMs = 10_000;

/** On a busy machine the threads that help to collect wait for a processor, and the main thread for them. */
const collector = '--no-parallel-scavenge';

/** A Node.js program to run. */
export interface NodeProgram {
  /** JavaScript file. */
  file: string;
  args?: string[];
  /** Further flags of Node.js. */
  flags?: readonly string[];
  env: Record<string, string | undefined>;
  /** Limit of the old generation in MiB: the program's share of this machine's memory. */
  heapMb: number;
  /**
   * Size of each half of the young generation in MiB, from the start: larger means fewer collections under load.
   * Without it the generation grows to 16 MiB when Node.js decides so.
   */
  youngMb?: number;
}

/** A running program. */
export interface NodeProcess extends Running {
  pid: number;
  /** Writes a line to its standard input. */
  report(line: string): void;
}

/**
 * Starts a program with its output in a log. It has its own session: Ctrl-C in the terminal reaches only the
 * supervisor, which then ends everything in order. Its standard input is a pipe from the supervisor; its end means that
 * the supervisor has exited.
 */
export function startNode(program: NodeProgram, log: LogFile): NodeProcess {
  const { heapMb, youngMb } = program;
  const young = youngMb === undefined ? [] : [`--min-semi-space-size=${youngMb}`];
  const memory = [`--max-old-space-size=${heapMb}`, ...young, `--max-semi-space-size=${youngMb ?? 16}`];
  const traced = program.env.OTEL_EXPORTER_OTLP_ENDPOINT ? [`--import=${tracing}`] : [];
  const flags = [collector, ...memory, ...traced, ...(program.flags ?? [])];
  const child = log.withDescriptor((output) =>
    spawn(process.execPath, [...flags, program.file, ...(program.args ?? []), withParent], {
      env: program.env,
      stdio: ['pipe', output, output],
      detached: true,
    }),
  );
  // Without a listener, a broken pipe would end the supervisor.
  child.stdin?.on('error', () => undefined);
  const exited = endOfProcess(child);
  return {
    pid: child.pid ?? -1,
    exited,
    report: (line) => void child.stdin?.write(`${line}\n`),
    stop: () => stop(child, exited),
    kill: () => void child.kill('SIGKILL'),
  };
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(timer);
}
