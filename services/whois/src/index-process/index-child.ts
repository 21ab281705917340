import { type ChildProcess, fork } from 'node:child_process';
import { SetServiceService } from '@cadastre/proto/whois';
import { connect, moduleToRun, type RpcClient } from '@cadastre/service';
import type { WhoisSettings } from '../settings.js';
import { createHandovers, type Handovers, type SendToIndex } from './handovers.js';
import type { Samples } from './index-service.js';
import type { MessageFromIndex, Report } from './messages.js';

export interface IndexChildOptions {
  readonly settings: WhoisSettings;
  /** Path of its gRPC socket. */
  readonly path: string;
  /** Limit of its old generation in MiB. */
  readonly heapMb: number;
  readonly answerBytes: number;
  onReport(report: Report): void;
}

/** One run of the index process. */
export interface IndexChild extends Pick<Handovers, 'handOver'> {
  readonly pid: number | undefined;
  readonly sets: RpcClient<typeof SetServiceService>;
  drain(): void;
  /** Its metrics; none when they arrive too late. */
  samples(): Promise<Samples>;
  /** Requests it to end, and kills it if it does not. */
  stop(): void;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
}

/**
 * Its heartbeat comes once a second: a process that is silent for longer hangs, and is killed. The service cannot wait
 * long to stop.
 */
const silenceMs = 30_000;
const drainSilenceMs = 3_000;
const stopMs = 8_000;
const samplesMs = 2_000;

/** The default of Node.js in a pod; with a limit of the old generation its default would be four times as much. */
const youngMemory = '--max-semi-space-size=16';

/** Starts the process. */
export function startIndexChild({ settings, path, heapMb, answerBytes, onReport }: IndexChildOptions): IndexChild {
  const { file, nodeArguments } = moduleToRun(new URL('./main.js', import.meta.url));
  const child = fork(file, {
    execArgv: [youngMemory, ...process.execArgv, ...nodeArguments, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const endless = { deadlineMs: Number.POSITIVE_INFINITY, retries: false };
  const sets = connect(SetServiceService, { name: 'whois', address: `unix:${path}`, ...endless });
  const kill = () => child.kill('SIGKILL');
  let silence = setTimeout(kill, silenceMs);
  const send: SendToIndex = (message, socket) => {
    if (!child.connected) return false;
    child.send(message, socket, {}, () => {});
    return true;
  };
  const handovers = createHandovers(send);
  let waiting: ((samples: Samples) => void)[] = [];
  const giveSamples = (samples: Samples) => {
    for (const give of waiting) give(samples);
    waiting = [];
  };
  child.on('message', (message: MessageFromIndex) => {
    silence.refresh();
    handovers.received(message);
    if (message.kind === 'report') onReport(message);
    if (message.kind === 'samples') giveSamples(message.samples);
  });
  send({ kind: 'start', settings, path, answerBytes });
  return {
    pid: child.pid,
    sets,
    handOver: handovers.handOver,
    drain() {
      clearTimeout(silence);
      silence = setTimeout(kill, drainSilenceMs);
      send({ kind: 'drain' });
    },
    samples: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => resolve([]), samplesMs);
        waiting.push((samples) => {
          clearTimeout(late);
          resolve(samples);
        });
        if (waiting.length === 1) send({ kind: 'samples' });
      }),
    stop() {
      setTimeout(kill, stopMs).unref();
      if (child.connected) child.disconnect();
    },
    ended: endOf(child).finally(() => {
      clearTimeout(silence);
      sets.close();
      handovers.end();
      giveSamples([]);
    }),
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was killed (${signal})` : `ended with exit code ${code}`));
  });
}
