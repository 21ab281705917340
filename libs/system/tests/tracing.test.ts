import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { apart, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

vi.setConfig({ testTimeout: 400_000 });

interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let collector: Server;
const spans: Span[] = [];
let received = '';

/** Receives spans as OTLP over HTTP with JSON. */
function startCollector(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received += text;
    if (request.url !== '/v1/traces') throw new Error(`not a trace: ${request.url}`);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
      for (const scope of scopeSpans) {
        for (const span of scope.spans) spans.push({ ...span, service: named.value.stringValue });
      }
    }
    response.end('{}');
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

beforeAll(async () => {
  collector = await startCollector();
  data = await freshDirectory();
  system = await runSystem(data.directory, {
    // The two services of the trace have processes, and so names, of their own.
    ...apart('gateway', 'objects'),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  rest = restClient(system);
});
afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
  collector.close();
});

test('a lookup is one trace from the gateway through objects to its SQL statement', async () => {
  const { status } = await rest('/TEST/person/TR1-TEST?unfiltered&password=hunter2');
  expect([400, 404]).toContain(status);
  await rest('/TEST/person/TR2-TEST');
  await eventually(() => {
    const childOf = (parent: Span | undefined, service: string, name: RegExp) =>
      spans.find((span) => span.parentSpanId === parent?.spanId && span.service === service && name.test(span.name));
    const chains = spans
      .filter(({ service, name }) => service === 'cadastre-gateway' && name === 'GET')
      .map((request) => {
        const call = childOf(request, 'cadastre-gateway', /BatchLookup/);
        const served = childOf(call, 'cadastre-objects', /BatchLookup/);
        const statement = childOf(served, 'cadastre-objects', /^pg/);
        return [call, served, statement].map((span) => span?.traceId === request.traceId);
      });
    expect(chains).toContainEqual([true, true, true]);
  });
});

test('no query string is traced', () => {
  expect(received).toContain('TR1-TEST');
  expect(received).not.toContain('hunter2');
});
