// Loaded before everything else, by `node --import @cadastre/service/tracing`: what is traced must be wrapped before it
// is first used. Without a place to send traces to, nothing of OpenTelemetry is loaded.
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { startTracing } = await import('./start-tracing.js');
  startTracing();
}
