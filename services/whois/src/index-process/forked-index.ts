import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { errorText, keepTryingService, type Logger, type Metrics, type Pauses, ServiceError } from '@cadastre/service';
import { Counter } from 'prom-client';
import type { WhoisSettings } from '../settings.js';
import { makeSocketFolder } from '../socket-folder.js';
import { type IndexChild, startIndexChild } from './index-child.js';
import type { IndexService } from './index-service.js';
import type { Report } from './messages.js';

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
