import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, SpanKind, trace } from '@opentelemetry/api';

/** Handles a request of HTTP/1.1 or HTTP/2. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum length of a path in a trace, in characters. */
const maxPathLength = 256;

/**
 * Wraps a handler so that each request begins a trace; without tracing, returns the same handler (see tracing.ts). Does
 * not continue traces of clients: they must not decide what is traced here.
 */
export function traceRequests(handle: RequestHandler): RequestHandler {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return handle;
  const tracer = trace.getTracer('cadastre');
  return (request, response) => {
    const method = request.method ?? 'GET';
    const attributes = {
      'http.request.method': method,
      'url.path': request.url?.split('?')[0]?.slice(0, maxPathLength) ?? '',
    };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes });
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode);
      span.end();
    });
    context.with(trace.setSpan(context.active(), span), () => handle(request, response));
  };
}
