import { realpathSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { register } from 'node:module';
import { basename, dirname } from 'node:path';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { GrpcInstrumentation } from '@opentelemetry/instrumentation-grpc';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Traces requests by HTTP, gRPC calls and SQL statements of this process, and sends them by OTLP over HTTP. Settings are
 * OpenTelemetry's own (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME and so on). Neither query
 * strings nor values of statements are told: they may hold secrets and personal data.
 */
export function startTracing(): void {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? programName(),
    traceExporter: new OTLPTraceExporter(),
    // Metrics are fetched (/metrics), logs are written to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      // Requests that come in are traced by the gateway itself (trace-requests.ts), which speaks HTTP/2, too.
      new HttpInstrumentation({
        disableIncomingRequestInstrumentation: true,
        requestHook: (span, request) => {
          const path = ((request as ClientRequest).path ?? '').split('?')[0];
          span.setAttributes({ 'http.target': path, 'http.url': path, 'url.full': path, 'url.query': '' });
        },
      }),
      new GrpcInstrumentation(),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  process.once('SIGTERM', () => void sdk.shutdown());
}

/** `cadastre-objects` for services/objects/dist/main.js. */
function programName(): string {
  const folder = dirname(dirname(realpathSync(process.argv[1] ?? '.')));
  return `cadastre-${basename(folder)}`;
}
