import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthCheckResponse_ServingStatus as Serving,
} from '@cadastre/proto/health';
import { type ServerWritableStream, status } from '@grpc/grpc-js';

/** What a server reports about itself and each of its services by grpc.health.v1. They have one state. */
export interface Health {
  readonly handlers: HealthServer;
  setServing(serving: boolean): void;
}

/** Maximum concurrent watchers: a process has few, but anyone who reaches the port may call. */
const maxWatching = 1_000;

/** Makes the health of a server and these services; they do not serve until `setServing`. */
export function createHealth(services: readonly string[]): Health {
  const known = new Set(['', ...services]);
  /** The calls, and whether they watch a service that exists. */
  const watching = new Map<ServerWritableStream<HealthCheckRequest, HealthCheckResponse>, boolean>();
  let now = Serving.NOT_SERVING;
  return {
    handlers: {
      check({ request: { service } }, callback) {
        if (known.has(service)) callback(null, { status: now });
        else callback({ code: status.NOT_FOUND, details: `Health status unknown for service ${service}` });
      },
      list(_, callback) {
        callback(null, { statuses: Object.fromEntries([...known].map((service) => [service, { status: now }])) });
      },
      watch(call) {
        if (watching.size >= maxWatching) {
          call.emit('error', { code: status.RESOURCE_EXHAUSTED, details: 'Too many callers watch' });
          return;
        }
        const isKnown = known.has(call.request.service);
        watching.set(call, isKnown);
        call.once('cancelled', () => watching.delete(call));
        call.write({ status: isKnown ? now : Serving.SERVICE_UNKNOWN });
      },
    },
    setServing(serving) {
      now = serving ? Serving.SERVING : Serving.NOT_SERVING;
      for (const [call, isKnown] of watching) if (isKnown) call.write({ status: now });
    },
  };
}
