import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthCheckResponse_ServingStatus as Serving,
} from '@cadastre/proto/health';
import { type ServerWritableStream, status } from '@grpc/grpc-js';

/** What a server tells by grpc.health.v1 about itself and each of its services. They have one state. */
export interface Health {
  readonly handlers: HealthServer;
  setServing(serving: boolean): void;
}

/** Makes the health of a server and these services; until `setServing` they do not serve. */
export function createHealth(services: readonly string[]): Health {
  const known = new Set(['', ...services]);
  const watching = new Set<ServerWritableStream<HealthCheckRequest, HealthCheckResponse>>();
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
        if (!known.has(call.request.service)) return void call.write({ status: Serving.SERVICE_UNKNOWN });
        watching.add(call);
        call.once('cancelled', () => watching.delete(call));
        call.write({ status: now });
      },
    },
    setServing(serving) {
      now = serving ? Serving.SERVING : Serving.NOT_SERVING;
      for (const call of watching) call.write({ status: now });
    },
  };
}
