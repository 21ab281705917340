// Prints docs/reference/alerts.md from the rules of the chart.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { inCode, table } from './sources.mjs';

export function alertsPage() {
  const { groups } = parse(readFileSync('deploy/helm/cadastre/monitoring/alerts.yaml', 'utf8'));
  const rows = groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, expr, for: time, labels, annotations }) => [
      `[${alert}](../operate/runbook.md#${alert.toLowerCase()})`,
      labels.severity,
      time ?? '',
      annotations.summary.replace(/\{\{ *\$(?:labels\.)?(\w+).*?\}\}/g, (_, name) => name.toUpperCase()),
      [...new Set(expr.match(/\b(?:cadastre|cnpg|pgbackrest|kube|kubelet|process|nodejs|barman)_\w+|\bup\b/g) ?? [])]
        .map(inCode)
        .join(', '),
    ]);
  return `# Alerts

<!-- \`make generate\` writes this page from deploy/helm/cadastre/monitoring/alerts.yaml. -->

The alerts of the chart (\`monitoring.rules\`), for Prometheus. The name leads to what to do. An alert fires when its
condition has held for the time.

${table(['Alert', 'Severity', 'Time', 'Says', 'Uses'], rows)}
`;
}
