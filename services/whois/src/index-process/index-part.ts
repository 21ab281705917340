import { chooseRoa, leavesOutInvalid, routeShowing } from '@cadastre/roa';
import {
  type AnswerMemory,
  createAnswerMemory,
  createExpansionSlots,
  errorText,
  type Logger,
  type Metrics,
  type Pauses,
} from '@cadastre/service';
import type { IrrdContext } from '../context.js';
import { anyDialect } from '../dialects.js';
import { irrdDialect } from '../irrd/irrd-dialect.js';
import { serveConnection } from '../listener/connection.js';
import type { ListenerMetrics } from '../listener/port-connection.js';
import type { QueryPart } from '../query-part.js';
import { answerLine } from '../rpc/answer-line.js';
import { setHandlers } from '../rpc/index.js';
import { conflictsIn, invalidBy } from '../sets/hidden-routes.js';
import type { IndexBounds } from '../sets/index-budget.js';
import { createRoaRoutes } from '../sets/roa-routes.js';
import { createSetIndex } from '../sets/set-index.js';
import type { WhoisSettings } from '../settings.js';
import type { IndexService } from './index-service.js';

export interface IndexPartOptions {
  readonly settings: WhoisSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Counts of its connections. */
  readonly counts: ListenerMetrics;
  /** Answers the lines that need no index. The caller starts and stops it. */
  readonly queries: QueryPart;
  /** Pauses while the objects service is unavailable. */
  readonly pauses?: Pauses | undefined;
  readonly memory?: AnswerMemory | undefined;
  /** Time between two comparisons with preferred sources, in milliseconds. */
  readonly preferenceIntervalMs?: number | undefined;
  /** Bounds of the set index. */
  readonly indexBounds?: IndexBounds | undefined;
}

/** Makes the set index, the ROA payloads for it, and the services that answer from it, in this process. */
export function createIndexPart(o: IndexPartOptions): IndexService {
  const { settings, logger, metrics, queries } = o;
  const { limiter, sources, backends, routePolicy } = queries.context;
  const onChange = () => {
    index.judge();
    roaRoutes?.refresh();
  };
  const roa = chooseRoa(settings, { service: 'whois', logger, metrics, onChange });
  const roaRoutes = queries.context.roaSource === undefined ? undefined : createRoaRoutes(roa.current);
  const findConflict = conflictsIn(roa.current);
  const index = createSetIndex({
    sources,
    backends,
    isInvalid: invalidBy(findConflict),
    roaRoutes,
    isFiltered: (source) => leavesOutInvalid(routePolicy(source), 'list'),
    logger,
    metrics,
    preference: queries.context.routePreference,
    preferenceIntervalMs: o.preferenceIntervalMs,
    pauses: o.pauses,
    bounds: o.indexBounds,
  });
  const memory = o.memory ?? createAnswerMemory();
  const clientOf = (address: string) => limiter.clients.atAddress(address).id;
  const parts = {
    index,
    roaRoutes,
    memory,
    slots: createExpansionSlots(),
    turns: queries.turns,
    clientOf,
    maxMembers: settings.expansionMembers,
    findConflict,
  };
  const context: IrrdContext = { ...queries.context, showRoute: routeShowing(routePolicy, roa) };
  const irrd = queries.measure('irrd', irrdDialect(context, parts));
  const dialect = anyDialect({ irrd, queries: queries.dialect, proxies: queries.proxies, limiter });
  const stopping = new AbortController();
  return {
    handOver({ socket, client, received, staysOpen }) {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      const served = serveConnection(socket, {
        ...queries,
        dialect,
        initial: { ...queries.initial, staysOpen },
        received,
        client,
        clientId: clientOf(client),
        memory,
        stopping: stopping.signal,
        onTooSlow: () => o.counts.dropped('slow'),
        onFault(error) {
          o.counts.faulty();
          logger.warn({ client, reason: errorText(error) }, 'an answer failed: connection closed');
        },
      });
      return {
        get carriedBytes() {
          return socket.bytesRead + socket.bytesWritten;
        },
        closed: Promise.all([served, closed]).then(() => {}),
        destroy: () => void socket.destroy(),
      };
    },
    handlers: { ...setHandlers(parts), answerLine: answerLine({ ...queries, dialect, memory, clientOf }) },
    checks: { sets: index.check, ...(index.awaitsRoas ? { roas: index.checkRoas } : {}) },
    drain: () => stopping.abort(),
    otherSamples: async () => [],
    async start() {
      await roa.start();
      await index.start();
    },
    async stop() {
      await roa.stop();
      await roaRoutes?.stop();
      await index.stop();
    },
  };
}
