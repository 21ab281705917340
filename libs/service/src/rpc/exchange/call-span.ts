import { context, propagation, SpanKind, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';

/** The span of a call in an exchange. The instrumentation of grpc-js makes those of other calls (start-tracing.ts). */
export interface CallSpan {
  /** Identifies the span for the server (W3C Trace Context); empty without tracing. */
  readonly traceparent: string;
  /** Does work as a part of the span. */
  within<T>(work: () => T): T;
  /** Ends the span with the status of the call (a code of gRPC). */
  end(code: number): void;
}

const isTraced = Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
const untraced: CallSpan = { traceparent: '', within: (work) => work(), end() {} };

/** Begins the span of a call that this process makes. */
export function clientSpan(path: string): CallSpan {
  return isTraced ? beginSpan(path, SpanKind.CLIENT, context.active()) : untraced;
}

/** Begins the span of a call that this process serves, below that of its client. */
export function serverSpan(path: string, traceparent: string): CallSpan {
  if (!isTraced) return untraced;
  return beginSpan(path, SpanKind.SERVER, propagation.extract(context.active(), { traceparent }));
}

/** Uses the names of OpenTelemetry's conventions for gRPC. */
function beginSpan(path: string, kind: SpanKind, parent: ReturnType<typeof context.active>): CallSpan {
  const [service = '', method = ''] = path.slice(1).split('/');
  const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
  const options: SpanOptions = { kind, attributes };
  const span = trace.getTracer('cadastre').startSpan(`${service}/${method}`, options, parent);
  const own = trace.setSpan(parent, span);
  const carrier = { traceparent: '' };
  propagation.inject(own, carrier);
  return {
    ...carrier,
    within: (work) => context.with(own, work),
    end(code) {
      span.setAttribute('rpc.grpc.status_code', code);
      if (code !== 0) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
