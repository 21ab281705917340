import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request of HTTP/1.1 or HTTP/2. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A handler that begins a trace with each request; the same one where nothing is traced (see tracing.ts). Traces of the
 * public are not continued: nobody outside decides what is traced here.
 */
export async function traceRequests(handle: RequestHandler): Promise<RequestHandler> {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return handle;
  const { context, SpanKind, trace } = await import('@opentelemetry/api');
  const tracer = trace.getTracer('cadastre');
  return (request, response) => {
    const method = request.method ?? 'GET';
    const attributes = { 'http.request.method': method, 'url.path': request.url?.split('?')[0] ?? '' };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes });
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode);
      span.end();
    });
    context.with(trace.setSpan(context.active(), span), () => handle(request, response));
  };
}
