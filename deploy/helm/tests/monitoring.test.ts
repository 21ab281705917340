import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configMap, dashboards, monitored as manifests } from './dashboards.js';
import { named, ofKind, selects } from './manifest.js';
import { knownSamples, ofOthers, samplesIn } from './metric-names.js';
import { refusal, render } from './render.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const known = knownSamples();

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

describe.each([...dashboards])('the dashboard %s', (_, { panels, links, tags, templating }) => {
  test.each(panels.map((panel) => [panel.title, panel] as const))('%s: shows samples of the services', (_, panel) => {
    const expressions = panel.targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
    expect(expressions.length).toBeGreaterThan(0);
    for (const expression of expressions) {
      const samples = samplesIn(expression);
      expect(samples.filter((name) => !known(name))).toEqual([]);
      expect(expression.match(/namespace="\$namespace",release="\$release"/g)).toHaveLength(samples.length);
    }
  });

  test('is short, and has no overlapping panels', () => {
    expect(panels.length).toBeGreaterThanOrEqual(6);
    expect(panels.length).toBeLessThanOrEqual(12);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });

  test('has queries with a letter and a legend each', () => {
    for (const { title, targets } of panels) {
      expect(targets.map(({ refId }) => refId).join(''), title).toBe('ABCD'.slice(0, targets.length));
      expect(
        targets.filter(({ legendFormat }) => legendFormat === ''),
        title,
      ).toEqual([]);
    }
  });

  test('selects a release, and links to the others with that selection', () => {
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'release']);
    expect(links).toMatchObject([{ type: 'dashboards', tags, includeVars: true }]);
  });
});

test('there is an overview, and a dashboard for each dialect, in files that Grafana finds', () => {
  const names = ['events', 'mirrors', 'overview', 'port43', 'rdap', 'rest'];
  expect([...dashboards.keys()]).toEqual(names.map((name) => `registry-cadastre-${name}.json`));
  expect(new Set([...dashboards.values()].map(({ uid }) => uid)).size).toBe(names.length);
  expect(dashboards.get('registry-cadastre-overview.json')?.uid).toBe('cadastre');
  const titles = [...dashboards.values()].flatMap(({ panels }) => panels.map(({ title }) => title));
  expect(new Set(titles).size).toBe(titles.length);
  expect(configMap.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
});

test('the ServiceMonitor finds the operations port of every service, and once only', () => {
  const monitor = named(manifests, 'ServiceMonitor', 'registry-cadastre').spec;
  const found = ofKind(manifests, 'Service')
    .filter(({ metadata }) => selects(monitor.selector, metadata.labels ?? {}))
    .filter(({ spec }) => spec.ports.some((port: { name: string }) => port.name === monitor.endpoints[0].port))
    .map(({ spec }) => spec.selector['app.kubernetes.io/component']);
  expect(found.sort()).toEqual(['auth', 'events', 'gateway', 'mirror', 'objects', 'search']);
  expect(monitor.endpoints[0]).toMatchObject({ path: '/metrics', honorLabels: true });
});

test.each([false, true])('CadastreDown names the Service of every enabled service (whois: %s)', async (whois) => {
  const rendered = await render({ values: 'production', set: { 'whois.enabled': whois } });
  const { expr } = (named(rendered, 'PrometheusRule', 'trial-cadastre').spec.groups[0].rules as Rule[])[0]!;
  const monitored = ofKind(rendered, 'Service')
    .filter(({ spec }) => spec.ports.some(({ name }: { name: string }) => name === 'operations'))
    .map(({ metadata }) => metadata.name);
  expect([...expr.matchAll(/service="([^"]+)"/g)].map(([, name]) => name).sort()).toEqual(monitored.sort());
  expect(monitored).toHaveLength(whois ? 7 : 6);
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
  expect(reading).toHaveLength(expected === undefined ? 0 : 4);
  expect(new Set(reading.map(({ from }) => JSON.stringify(from)))).toEqual(
    new Set(expected === undefined ? [] : [JSON.stringify(expected)]),
  );
});

test('the public Service does not expose health and metrics', () => {
  const { spec } = named(manifests, 'Service', 'registry-cadastre-gateway');
  expect(spec.ports.map(({ name }: { name: string }) => name)).toEqual(['http', 'https', 'certificate']);
});

describe('probes', () => {
  test('ask each dialect that has a target', () => {
    const probes = ofKind(manifests, 'Probe').map(({ metadata, spec }) => [
      metadata.name,
      metadata.labels!.prometheus,
      ...[spec.jobName, spec.module, spec.prober.url, spec.targets.staticConfig.static],
      spec.targets.staticConfig.labels,
    ]);
    const common = ['main', 'registry-cadastre-probes'];
    const exporter = 'blackbox-exporter.monitoring:9115';
    const [rest, rdap] = [
      'https://rest.example.net/EXAMPLE/mntner/EXAMPLE-MNT',
      'https://rdap.example.net/entity/EXAMPLE-MNT',
    ];
    const labels = (dialect: string) => ({ namespace: 'inside', dialect });
    expect(probes).toEqual([
      ['registry-cadastre-probe-rdap', ...common, 'cadastre_rdap', exporter, [rdap], labels('rdap')],
      ['registry-cadastre-probe-rest', ...common, 'cadastre_rest', exporter, [rest], labels('rest')],
      [
        'registry-cadastre-probe-whois',
        ...common,
        'cadastre_whois',
        exporter,
        ['whois.example.net:43'],
        labels('whois'),
      ],
    ]);
  });

  test('use modules that exist, also for port 43 over TLS', async () => {
    const file = new URL('../cadastre/monitoring/blackbox.yaml', import.meta.url);
    const { modules } = parse(readFileSync(file, 'utf8')) as { modules: object };
    const targets = { rest: 'https://a', rdap: 'https://a', whois: 'a:43', whoisTls: 'a:4300' };
    const set = { 'monitoring.probes.enabled': true, 'monitoring.probes.exporter': 'a:1' };
    const rendered = await render({ set, setJson: { 'monitoring.probes.targets': targets } });
    const used = ofKind(rendered, 'Probe').map(({ spec }) => spec.module);
    expect(used.toSorted()).toEqual(Object.keys(modules).toSorted());
  });

  test('need an exporter', async () => {
    expect(await refusal({ set: { 'monitoring.probes.enabled': true } })).toContain('monitoring.probes.exporter');
  });
});
