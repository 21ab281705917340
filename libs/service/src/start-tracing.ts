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
 * Traces HTTP requests, gRPC calls and SQL statements of this process and sends them by OTLP over HTTP. The settings
 * are OpenTelemetry's own (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME and so on). Traces omit
 * query strings and statement values, which may hold secrets and personal data.
 */
export function startTracing(): void {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? programName(),
    traceExporter: new OTLPTraceExporter(),
    // Prometheus fetches metrics (/metrics); logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      // The gateway traces incoming requests itself (trace-requests.ts), including HTTP/2.
      new HttpInstrumentation({
        disableIncomingRequestInstrumentation: true,
        requestHook: (span, request) => {
          const path = ((request as ClientRequest).path ?? '').split('?')[0];
          span.setAttributes({ 'http.target': path, 'http.url': path, 'url.full': path, 'url.query': '' });
        },
      }),
      // The spans of calls in exchanges are made elsewhere (rpc/exchange/call-span.ts).
      new GrpcInstrumentation({ ignoreGrpcMethods: ['Exchange'] }),
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
