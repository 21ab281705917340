import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Manifest, named, ofKind, selects } from './manifest.js';
import { knownSamples, ofOthers, samplesIn } from './metric-names.js';
import { chart, render } from './render.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const dashboard = JSON.parse(readFileSync(`${chart}monitoring/dashboard.json`, 'utf8')) as { panels: Panel[] };
let manifests: Manifest[];
let known: (name: string) => boolean;

beforeAll(async () => {
  manifests = await render({ release: 'registry', namespace: 'inside', values: 'production' });
  known = knownSamples();
});

describe('alerts', () => {
  const rules = () => named(manifests, 'PrometheusRule', 'registry-cadastre').spec.groups[0].rules as Rule[];

  test('use samples of the services, of this release only, or those of others in its namespace', () => {
    for (const { alert, expr } of rules()) {
      const samples = samplesIn(expr);
      const own = samples.filter((name) => !ofOthers.includes(name));
      expect(samples.length, alert).toBeGreaterThan(0);
      expect(
        own.filter((name) => !known(name)),
        alert,
      ).toEqual([]);
      expect(expr.match(/namespace="inside",release="registry"/g) ?? [], alert).toHaveLength(own.length);
      expect(expr.match(/namespace="inside"/g), alert).toHaveLength(samples.length);
    }
  });

  test('have a unique name, a severity, a summary and a section in the runbook', () => {
    const names = rules().map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const runbook = readFileSync(new URL('../../../docs/operate/runbook.md', import.meta.url), 'utf8');
    const sections = [...runbook.matchAll(/^## (Cadastre\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(names);
    for (const { alert, labels, annotations } of rules()) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary, alert).toMatch(/.+/);
      expect(annotations.runbook_url).toBe(`https://ops.example.net/alerts#${alert.toLowerCase()}`);
    }
  });

  test('exist for the most severe failures', () => {
    const requested = new Set(rules().flatMap(({ expr }) => samplesIn(expr)));
    for (const name of [
      'up',
      'cadastre_check_up',
      'cadastre_http_requests_total',
      'cadastre_search_index_lag_seconds',
    ]) {
      expect(requested).toContain(name);
    }
  });
});

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  test.each(panels.map((panel) => [panel.title, panel] as const))('%s: shows samples of the services', (_, panel) => {
    const expressions = panel.targets!.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
    expect(expressions.length).toBeGreaterThan(0);
    for (const expression of expressions) {
      expect(samplesIn(expression).filter((name) => !known(name))).toEqual([]);
      expect(expression).toContain('namespace="$namespace",release="$release"');
    }
  });

  test('has no overlapping panels', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('reaches Grafana unchanged', () => {
    const { data, metadata } = named(manifests, 'ConfigMap', 'registry-cadastre-dashboard');
    expect(JSON.parse(data!['registry-cadastre.json']!)).toEqual(dashboard);
    expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  });
});

test('the ServiceMonitor finds the operations port of every service, and once only', () => {
  const monitor = named(manifests, 'ServiceMonitor', 'registry-cadastre').spec;
  const found = ofKind(manifests, 'Service')
    .filter(({ metadata }) => selects(monitor.selector, metadata.labels ?? {}))
    .filter(({ spec }) => spec.ports.some((port: { name: string }) => port.name === monitor.endpoints[0].port))
    .map(({ spec }) => spec.selector['app.kubernetes.io/component']);
  expect(found.sort()).toEqual(['auth', 'events', 'gateway', 'geo', 'mirror', 'objects', 'search']);
  expect(monitor.endpoints[0]).toMatchObject({ path: '/metrics', honorLabels: true });
});

const inMonitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };

test.each<[string, unknown[] | undefined, unknown[] | undefined]>([
  [
    "by default pods of the release's namespace and of the namespace monitoring",
    undefined,
    [{ podSelector: {} }, inMonitoring],
  ],
  ['whom the values name', [inMonitoring], [inMonitoring]],
  ['nobody, if they name none', [], undefined],
])('health and metrics are read by %s', async (_, given, expected) => {
  const setJson = given && { 'networkPolicy.monitoring': given };
  const policies = ofKind(await render(setJson && { setJson }), 'NetworkPolicy');
  const rules = policies.flatMap(
    ({ spec }) => (spec.ingress ?? []) as { ports: { port: unknown }[]; from?: unknown[] }[],
  );
  const reading = rules.filter(({ ports }) => ports.some(({ port }) => port === 'operations'));
  expect(reading.length > 4).toBe(expected !== undefined);
  expect(new Set(reading.map(({ from }) => JSON.stringify(from)))).toEqual(
    new Set(expected === undefined ? [] : [JSON.stringify(expected)]),
  );
});

test('the public Service does not expose health and metrics', () => {
  const { spec } = named(manifests, 'Service', 'registry-cadastre-gateway');
  expect(spec.ports.map(({ name }: { name: string }) => name)).toEqual(['http', 'https', 'certificate']);
});
