import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { reservePort } from '@cadastre/service';
import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dashboards } from '../../../deploy/helm/tests/dashboards.js';
import { type Cluster, replicated, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Prometheus, startPrometheus } from './harness/prometheus.js';
import { createClusterClient } from './harness/traffic.js';
import { jsonBody } from './harness/whois.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

/** Rates need several rounds of publishing. */
const shortMinutes = { NODE_OPTIONS: `--import=${new URL('harness/short-minutes.mjs?60', import.meta.url).href}` };
const missing = ['prometheus'].filter((program) => !isInstalled(program));

const queries = [...dashboards.values()]
  .flatMap(({ panels }) => panels)
  .flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

/** Without failures, limited clients and webhooks these show nothing; Prometheus must still accept them. */
const emptyWhenHealthy = [
  'Refused for limits',
  'Refused for overload',
  'Bootstrap files that cannot be used',
  'Copies: updates that failed',
  'Publications and dumps that failed',
  'Mails that were not accepted',
  'Calls that did not succeed, as the caller sees them',
  'Webhooks by state',
  'Requests to webhooks by outcome',
  'Copies: time since they were current',
  'Copies: what was applied',
  'NRTM version 3: refused',
];

/** Requests of each dialect of the gateway. */
const paths = [
  '/TEST/mntner/EXAMPLE-MNT',
  '/search?query-string=EXAMPLE-MNT',
  '/rdap/ip/192.0.2.0',
  '/abuse-contact/192.0.2.0',
  '/nrtmv4',
  '/dumps',
];

describe.skipIf(isSkipped('the dashboards in Prometheus', missing))('the dashboards in Prometheus', () => {
  let directory: string;
  let cluster: Cluster;
  let prometheus: Prometheus;
  let whoisPort: number;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-dashboard-'));
    const roas = join(directory, 'roas.json');
    await writeFile(
      roas,
      JSON.stringify({ roas: [{ asn: 'AS64500', prefix: '192.0.2.0/24', maxLength: 24, ta: 'ripe' }] }),
    );
    whoisPort = await reservePort();
    cluster = await startCluster({
      count: 1,
      events: true,
      whois: true,
      mirror: true,
      env: {
        ...shortMinutes,
        CADASTRE_WHOIS_PORT: String(whoisPort),
        CADASTRE_BIND_ADDRESS: '127.0.0.1',
        CADASTRE_ROA_SOURCE: roas,
        CADASTRE_MIRROR_PUBLISH: 'TEST',
        CADASTRE_MIRROR_DUMPS: 'TEST',
      },
    });
    const client = createClusterClient(cluster);
    // EXAMPLE-MNT is notified by mail.
    await eventually(async () => {
      const { status } = await client.send('/TEST/person', jsonBody(personText('Mailed Person', 'DB1-TEST')));
      expect([200, 409]).toContain(status);
    });
    client.close();
    const targets = [...replicated, 'events' as const, 'whois' as const, 'mirror' as const].flatMap((service) =>
      cluster.replicas[service].map(({ operations }) => ({
        address: operations,
        labels: { namespace: 'inside', release: 'registry', pod: `registry-${service}` },
      })),
    );
    prometheus = await startPrometheus(directory, targets);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  function get(path: string): Promise<void> {
    const [host, port] = cluster.gateways[0]!.split(':');
    return new Promise((resolve, reject) => {
      const request = https.get({ host, port, path, rejectUnauthorized: false }, (response) => {
        response.resume().once('end', resolve);
      });
      request.once('error', reject);
    });
  }

  function lookUpByWhois(): Promise<string> {
    const socket = connect(whoisPort, '127.0.0.1');
    socket.write('-r EXAMPLE-MNT\r\n');
    return text(socket);
  }

  const requested = (expr: string) =>
    prometheus.count(
      expr.replaceAll('$__rate_interval', '1m').replaceAll('$namespace', 'inside').replaceAll('$release', 'registry'),
    );

  test.each(queries.map(({ title, expr }) => [title, expr] as const))('%s: %s', async (title, expr) => {
    if (emptyWhenHealthy.includes(title)) {
      expect(await requested(expr)).toBeGreaterThanOrEqual(0);
      return;
    }
    await expect
      .poll(
        async () => {
          await Promise.all([...paths.map(get), lookUpByWhois()]);
          return requested(expr);
        },
        { timeout: 180_000 },
      )
      .toBeGreaterThan(0);
  });
});
