// Loaded first, by `node --import @cadastre/service/tracing`: tracing must wrap modules before their first use. Without
// an endpoint to send traces to, it loads nothing of OpenTelemetry.
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { startTracing } = await import('./start-tracing.js');
  startTracing();
}
