import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { SetServiceService } from '@cadastre/proto/whois';
import {
  connect,
  endOfProcess,
  errorText,
  keepTryingService,
  type Logger,
  type Metrics,
  moduleToRun,
  type Pauses,
  type RpcClient,
  ServiceError,
} from '@cadastre/service';
import { Counter } from 'prom-client';
import type { WhoisSettings } from '../settings.js';
import { makeSocketFolder } from '../socket-folder.js';
import { createHandovers, type Handovers, type SendToIndex } from './handovers.js';
import type { IndexService, MessageFromIndex, Report, Samples } from './index-service.js';

interface ForkedIndexOptions {
  readonly settings: WhoisSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pauses before restarts; the first one applies again after the process was complete. */
  readonly pauses?: Pauses | undefined;
}

const restartPauses = { firstMs: 500, maxMs: 30_000 };

/**
 * The memory of the index process, so that both fit into the limit of their pod: Node.js gives each a heap of half.
 * Answers are outside of the heap.
 */
function memoryOf(): { readonly heapMb: number; readonly answerBytes: number } {
  const heapBytes = getHeapStatistics().heap_size_limit * 0.75;
  return { heapMb: Math.floor(heapBytes / 2 ** 20), answerBytes: Math.min(maxAnswerBytes, heapBytes / 4) };
}

const maxAnswerBytes = 300 * 1024 * 1024;

/**
 * The set index in a process of its own, which is restarted when it ends. While it is unavailable, its connections are
 * closed, also those that are being handed over, and its methods are unavailable.
 */
export function forkIndex({ settings, logger, metrics, pauses = restartPauses }: ForkedIndexOptions): IndexService {
  const ends = new Counter({
    name: 'cadastre_whois_index_process_ends_total',
    help: 'Times that the index process of the whois service ended by itself.',
    registers: [metrics],
  });
  /** The process once it has reported, and its last report. */
  let current: { readonly child: IndexChild; readonly report: Report } | undefined;
  let folder = '';
  let starts = 0;
  const indexChild = () => {
    if (current === undefined) throw new ServiceError('unavailable', 'The index process is unavailable');
    return current.child;
  };
  const check = (name: string) => async () => {
    indexChild();
    const reason = current?.report.failures[name];
    if (reason !== undefined) throw new Error(reason);
  };
  const running = keepTryingService({
    async work(signal, succeeded) {
      const child = startIndexChild({
        settings,
        path: join(folder, `${++starts}.sock`),
        ...memoryOf(),
        onReport(report) {
          current = { child, report };
          if (Object.keys(report.failures).length === 0) succeeded();
        },
      });
      logger.info({ pid: child.pid }, 'index process started');
      signal.addEventListener('abort', child.stop);
      const reason = await child.ended;
      signal.removeEventListener('abort', child.stop);
      current = undefined;
      if (!signal.aborted) throw new Error(`The index process ${reason}`);
    },
    onFailure(error, pauseMs, failures) {
      ends.inc();
      logger.error({ reason: errorText(error), pauseMs, failures }, 'index process ended: restarting it');
    },
    pauses,
  });
  return {
    handOver: (connection) => indexChild().handOver(connection),
    handlers: {
      async *expandSet(request, call) {
        const { sets } = indexChild();
        yield* sets.expandSet({ ...request, client: request.client || call.caller }, call);
      },
      async *describeSet(request, call) {
        const { sets } = indexChild();
        yield* sets.describeSet({ ...request, client: request.client || call.caller }, call);
      },
      async *answerLine(request, call) {
        yield* indexChild().sets.answerLine(request, call);
      },
    },
    checks: { sets: check('sets'), ...(settings.roaSource === undefined ? {} : { roas: check('roas') }) },
    drain: () => current?.child.drain(),
    otherSamples: async () => (await current?.child.samples()) ?? [],
    async start() {
      folder = await makeSocketFolder();
      await running.start();
    },
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
interface IndexChild extends Pick<Handovers, 'handOver'> {
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
/** After a pause of this process, its timers run before it has read the heartbeats of that time. */
const readingMs = 200;
const stopMs = 8_000;
const samplesMs = 2_000;

/** The default of Node.js in a pod; with a limit of the old generation its default would be four times as much. */
const youngMemory = '--max-semi-space-size=16';

/** Starts the process. */
function startIndexChild({ settings, path, heapMb, answerBytes, onReport }: IndexChildOptions): IndexChild {
  const { file, nodeArguments } = moduleToRun(new URL('./main.js', import.meta.url));
  const child = fork(file, {
    execArgv: [youngMemory, ...process.execArgv, ...nodeArguments, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const endless = { deadlineMs: Number.POSITIVE_INFINITY, retries: false };
  const sets = connect(SetServiceService, { address: `unix:${path}`, ...endless });
  const kill = () => child.kill('SIGKILL');
  let limitMs = silenceMs;
  let silence: NodeJS.Timeout | undefined;
  const waitForHeartbeat = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      silence = setTimeout(kill, readingMs);
    }, limitMs);
  };
  waitForHeartbeat();
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
    waitForHeartbeat();
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
      limitMs = drainSilenceMs;
      waitForHeartbeat();
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
    ended: endOfProcess(child).finally(() => {
      clearTimeout(silence);
      sets.close();
      handovers.end();
      giveSamples([]);
    }),
  };
}
