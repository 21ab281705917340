import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { SetServiceService } from '@cadastre/proto/whois';
import {
  createAnswerMemory,
  createLogger,
  createMetrics,
  createRpcServer,
  errorText,
  implement,
  type Logger,
  mutualTls,
  reportProcess,
} from '@cadastre/service';
import { connectBackends } from '../context.js';
import { usualDrainMs } from '../listener/listener.js';
import { registerListenerMetrics, type ServedConnection } from '../listener/port-connection.js';
import { createQueryPart } from '../query-part.js';
import { createIndexPart } from './index-part.js';
import type { ConnectionMessage, IndexService, MessageFromIndex, MessageToIndex } from './index-service.js';

// The index process of the whois service, which starts it; it ends with that process.

const reportMs = 1_000;
/** Enough for one expansion of 100,000 members. */
const clientBytes = 100 * 1024 * 1024;
/** The main process has closed all connections when it stops; after it was killed, answers may finish. */
const exitMs = 7_000;

type StartMessage = Extract<MessageToIndex, { kind: 'start' }>;

// The end of the main process ends this one: a signal to both must not cut answers.
process.on('SIGTERM', () => {}).on('SIGINT', () => {});
process.once('message', (message: StartMessage) => run(message));
process.once('disconnect', () => setTimeout(() => process.exit(0), exitMs));
if (!process.connected) process.exit(1);

async function run({ settings, path, answerBytes }: StartMessage): Promise<void> {
  const logger = createLogger({ service: 'whois', level: settings.logLevel }).child({ process: 'index' });
  const fail = failing(logger);
  process.on('unhandledRejection', fail).on('uncaughtException', fail);
  const metrics = createMetrics('whois');
  metrics.setDefaultLabels({ service: 'whois', process: 'index' });
  if (settings.operations) reportProcess(metrics);
  const tls = mutualTls(settings, { logger, metrics });
  const backends = connectBackends(settings, { tls, metrics });
  const queries = createQueryPart({ settings, logger, metrics, backends });
  const counts = registerListenerMetrics(metrics);
  const memory = createAnswerMemory({ maxBytes: answerBytes, maxBytesPerClient: Math.min(answerBytes, clientBytes) });
  const index = createIndexPart({ settings, logger, metrics, counts, queries, memory });
  const implementations = [implement(SetServiceService, index.handlers)];
  const server = createRpcServer({ name: 'whois', logger, metrics, address: `unix:${path}`, implementations });
  const connections = createConnections(index);
  await queries.start();
  await index.start();
  await server.start();
  process.on('message', (message: MessageToIndex, socket?: Socket) => {
    if (message.kind === 'connection') connections.take(message, socket);
    if (message.kind === 'close') connections.close(message.id);
    if (message.kind === 'drain') index.drain();
    if (message.kind === 'samples')
      metrics.getMetricsAsJSON().then((samples) => send({ kind: 'samples', samples }), fail);
  });
  const report = async () => {
    send({ kind: 'report', failures: await failuresOf(index.checks), carried: connections.carried() });
    setTimeout(report, reportMs);
  };
  const stop = async () => {
    index.drain();
    const late = setTimeout(connections.closeAll, usualDrainMs);
    await connections.closed();
    clearTimeout(late);
    await server.stop(0);
    await index.stop();
    await queries.stop();
    backends.close();
    tls?.close();
    await rm(dirname(path), { recursive: true, force: true });
    process.exit(0);
  };
  process.once('disconnect', stop);
  if (!process.connected) await stop();
  await report();
}

function failing(logger: Logger): (error: unknown) => never {
  return (error) => {
    logger.fatal({ err: error }, 'failed');
    process.exit(1);
  };
}

/** The main process may have exited. */
function send(message: MessageFromIndex): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

async function failuresOf(checks: IndexService['checks']): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      check().then(
        () => [],
        (error) => [[name, errorText(error)] as const],
      ),
    ),
  );
  return Object.fromEntries(results.flat());
}

/** The connections of this process. */
function createConnections(index: IndexService) {
  const open = new Map<number, { readonly served: ServedConnection; reported: number }>();
  return {
    take({ id, client, received, staysOpen }: ConnectionMessage, socket: Socket | undefined) {
      send({ kind: 'taken', id });
      if (socket === undefined) return send({ kind: 'closed', id });
      // Like the sockets of the port: a client that has closed its side gets its answers.
      socket.allowHalfOpen = true;
      const served = index.handOver({ socket, client, received, staysOpen });
      open.set(id, { served, reported: 0 });
      served.closed.then(() => {
        open.delete(id);
        send({ kind: 'closed', id });
      });
    },
    close: (id: number) => open.get(id)?.served.destroy(),
    closeAll() {
      for (const { served } of open.values()) served.destroy();
    },
    closed: () => Promise.all([...open.values()].map(({ served }) => served.closed)),
    /** The bytes that connections have carried, if changed since the last call. */
    carried() {
      const changed: [number, number][] = [];
      for (const [id, one] of open) {
        const bytes = one.served.carriedBytes;
        if (bytes === one.reported) continue;
        one.reported = bytes;
        changed.push([id, bytes]);
      }
      return changed;
    },
  };
}
