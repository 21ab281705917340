import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { Gauge } from 'prom-client';
import { errorText } from './errors.js';
import type { Logger } from './logger.js';
import { type Metrics, reportProcess } from './metrics.js';

export interface OperationsOptions {
  /** `host:port` of the plain HTTP port; without it the checks run, but nothing listens. */
  address: string | undefined;
  /** Named checks of the dependencies; a check that throws makes the service not ready. */
  checks: Record<string, () => Promise<void>>;
  /**
   * Named checks that must pass once before the service is ready. When one fails later, the service stays ready, and
   * `/ready` and the log say that it is degraded.
   */
  startChecks?: Record<string, () => Promise<void>>;
  /** Names the unavailable optional parts of the service; `/ready` lists them after "ready". */
  degradations?: () => string[];
  metrics: Metrics;
  /** The text of `/metrics`; default: that of `metrics`. */
  metricsText?: () => Promise<string>;
  logger: Logger;
  /**
   * Time between two rounds of checks, and timeout of a check, in milliseconds; default 5,000. After a failure the next
   * round follows within a second.
   */
  intervalMs?: number | undefined;
  /** Called with the first result and every change, for example to publish it by grpc.health.v1. */
  onReadiness?: (ready: boolean) => void;
}

/** The operations port: /live (the process responds), /ready (the service works), /metrics. */
export type OperationsServer = ReturnType<typeof createOperationsServer>;

/** Reason of each failing check by its name; empty when the service is ready. */
type Failures = Record<string, string>;

/** As often as the readiness probe of the chart. */
const recheckMs = 1000;

/** Makes the operations port; `start` runs the checks once. */
export function createOperationsServer(o: OperationsOptions) {
  const intervalMs = o.intervalMs ?? 5000;
  const checks = { ...o.startChecks, ...o.checks };
  const reportChecks = checkGauge(o.metrics, Object.keys(checks));
  if (o.address) reportProcess(o.metrics);
  const degraded = createDegradations(o);
  let failures: Failures = { start: 'not started' };
  let announced: boolean | undefined;
  /** Timer of the next round; undefined while a round runs. */
  let timer: NodeJS.Timeout | undefined;
  let draining = false;
  let stopped = false;
  const publish = (failed: Failures) => {
    reportChecks(failed);
    failures = degraded.withoutLater(failed);
    if (announced === isReady(failures)) return;
    announced = isReady(failures);
    announce(o, failures);
  };
  const round = async () => {
    timer = undefined;
    const next = await runChecks(checks, intervalMs);
    if (stopped) return;
    if (!draining) publish(next);
    timer = setTimeout(round, isReady(next) ? intervalMs : Math.min(intervalMs, recheckMs));
  };
  const server = createServer(async (request, response) => {
    await answer(o, failures, degraded.names(), request.url ?? '/', response);
  });
  return {
    /**
     * Makes the service not ready, whatever the checks report. The port responds and the checks continue until `stop`:
     * they notice a failover of the database, without which work on the lost server might never end.
     */
    drain(): void {
      draining = true;
      failures = { stop: 'stopping' };
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(round, 0);
    },
    /** The last published result of the checks. */
    ready: (): boolean => isReady(failures),
    /** The address it listens on; `undefined` without one. */
    address: (): string | undefined => (o.address ? boundAddress(server, o.address) : undefined),
    async start() {
      if (o.address) await listen(server, o.address);
      await round();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      failures = { stop: 'stopping' };
      server.closeAllConnections();
      if (server.listening) await server[Symbol.asyncDispose]();
    },
  };
}

/** Remembers which start checks have passed; later failures of these are degradations. */
function createDegradations({ startChecks = {}, logger }: OperationsOptions) {
  const passed = new Set<string>();
  let later: Failures = {};
  return {
    names: () => Object.keys(later),
    /** The failures that make the service not ready. */
    withoutLater(failures: Failures): Failures {
      for (const name of Object.keys(startChecks)) if (!Object.hasOwn(failures, name)) passed.add(name);
      const all = Object.entries(failures);
      const before = Object.keys(later).join();
      later = Object.fromEntries(all.filter(([name]) => passed.has(name)));
      const now = Object.keys(later).join();
      if (now !== before && now !== '') logger.warn({ failures: later }, 'degraded');
      if (now !== before && now === '') logger.info('no longer degraded');
      return Object.fromEntries(all.filter(([name]) => !passed.has(name)));
    },
  };
}

function checkGauge(metrics: Metrics, checks: readonly string[]): (failures: Failures) => void {
  const up = new Gauge({
    name: 'cadastre_check_up',
    help: 'Whether each dependency of the service passed its last check: 1 or 0',
    labelNames: ['check'],
    registers: [metrics],
  });
  return (failures) => {
    for (const check of checks) up.set({ check }, Object.hasOwn(failures, check) ? 0 : 1);
  };
}

function isReady(failures: Failures): boolean {
  return Object.keys(failures).length === 0;
}

function announce(o: OperationsOptions, failures: Failures): void {
  const ready = isReady(failures);
  if (ready) o.logger.info('ready');
  else o.logger.warn({ failures }, 'not ready');
  o.onReadiness?.(ready);
}

async function runChecks(checks: OperationsOptions['checks'], limitMs: number): Promise<Failures> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await problemOf(check, limitMs)] as const),
  );
  return Object.fromEntries(results.flatMap(([name, problem]) => (problem === undefined ? [] : [[name, problem]])));
}

async function problemOf(check: () => Promise<void>, limitMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no response within ${limitMs} ms`), limitMs);
  });
  const result = Promise.resolve()
    .then(check)
    .then(() => undefined, errorText);
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

async function answer(
  o: OperationsOptions,
  failures: Failures,
  degraded: readonly string[],
  url: string,
  response: ServerResponse,
): Promise<void> {
  const path = url.split('?')[0];
  if (path === '/live') return send(response, 200, 'live\n');
  if (path === '/ready') {
    // Only the names: the reasons are in the log, which fewer people can read.
    if (!isReady(failures)) return send(response, 503, `not ready: ${Object.keys(failures).join(', ')}\n`);
    const all = [...degraded, ...(o.degradations?.() ?? [])].join(', ');
    return send(response, 200, all === '' ? 'ready\n' : `ready, but degraded: ${all}\n`);
  }
  if (path === '/metrics') {
    const text = await (o.metricsText?.() ?? o.metrics.metrics());
    return send(response, 200, text, o.metrics.contentType);
  }
  return send(response, 404, 'not found\n');
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

async function listen(server: Server, address: string): Promise<void> {
  const cut = address.lastIndexOf(':');
  const host = address.slice(0, cut).replace(/^\[|\]$/g, '');
  await once(server.listen({ host, port: Number(address.slice(cut + 1)) }), 'listening');
}

function boundAddress(server: Server, address: string): string {
  const bound = server.address();
  return bound && typeof bound === 'object' ? address.replace(/:\d+$/, `:${bound.port}`) : address;
}
