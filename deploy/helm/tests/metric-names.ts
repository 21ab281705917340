import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { createMetrics, reportProcess } from '../../../libs/service/src/metrics.js';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
/** Samples that Prometheus itself adds. */
const ofPrometheus = ['up'];

/** Samples of others, which have no label of the release: the kubelet, kube-state-metrics, exporters of backups. */
export const ofOthers = [
  'cnpg_collector_last_available_backup_timestamp',
  'kube_cronjob_status_last_successful_time',
  'kube_job_status_active',
  'kube_job_status_failed',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'pgbackrest_backup_since_last_completion_seconds',
  'probe_ssl_earliest_cert_expiry',
  'probe_success',
];

/** Whether the services return a sample with this name at /metrics, including those of their processes. */
export function knownSamples(): (name: string) => boolean {
  const folders = [
    'libs/service',
    'libs/changes',
    'libs/limits',
    'libs/roa',
    ...readdirSync(`${checkout}services`).map((name) => `services/${name}`),
  ];
  const own = folders.flatMap((folder) => sources(`${checkout}${folder}/src`)).flatMap(namesIn);
  const metrics = createMetrics('any');
  reportProcess(metrics);
  const ofProcess = metrics.getMetricsAsArray().map(({ name }) => name);
  const names = [...ofPrometheus, ...own, ...ofProcess].join('|');
  const pattern = new RegExp(`^(${names})(_bucket|_count|_sum)?$`);
  return (name) => pattern.test(name);
}

function sources(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).map((name) => `${folder}/${name}`);
}

/** Patterns of the names in a file: each placeholder of a template literal is one word. */
function namesIn(file: string): string[] {
  const literals = readFileSync(file, 'utf8').matchAll(/['`](cadastre_(?:[a-z_]|\$\{\w+\})+)['`]/g);
  return [...literals].map(([, name]) => name!.replace(/\$\{\w+\}/g, '[a-z]+'));
}

/** The sample names in a PromQL expression. Throws when it is invalid. */
export function samplesIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      const text = expression.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`no PromQL, at ${node.from}: ${expression}`);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') names.push(text);
    },
  });
  return names;
}
