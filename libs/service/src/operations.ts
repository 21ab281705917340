import type { Service } from './lifecycle.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

export interface OperationsOptions {
  /** `host:port` of the plain HTTP port; absent: the checks run, but nothing listens. */
  address: string | undefined;
  /** Named checks of what the service needs; a check that throws makes the service not ready. */
  checks: Record<string, () => Promise<void>>;
  metrics: Metrics;
  logger: Logger;
  /** Time between two rounds of checks; 5,000 unless told. */
  intervalMs?: number;
  /** Told when readiness changes, for example to publish it by grpc.health.v1. */
  onReadiness?: (ready: boolean) => void;
}

/** The operator's port: /live (the process answers), /ready (it can do its work), /metrics. */
export interface OperationsServer extends Service {
  /** Where it listens; `undefined` without an address. */
  address(): string | undefined;
  /** The last published result of the checks. */
  ready(): boolean;
}

/** Makes the operator's port; it runs the checks once in `start`. */
export function createOperationsServer(_o: OperationsOptions): OperationsServer {
  throw new Error('not written yet');
}
