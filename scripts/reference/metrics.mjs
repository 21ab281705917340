// Prints docs/reference/metrics.md from the metrics that the code registers.
import ts from 'typescript';
import { callsAround, inCode, nodesOf, propertyOf, servicesOf, sorted, table, textsOf } from './sources.mjs';

const kinds = new Set(['Counter', 'Gauge', 'Histogram', 'Summary']);
const isMetric = (node) => ts.isNewExpression(node) && kinds.has(node.expression.getText());

export function metricsPage(sources) {
  const metrics = sources.files.flatMap((file) => nodesOf(file, isMetric).flatMap((node) => metricsOf(sources, node)));
  const groups = Map.groupBy(metrics, ({ services }) => services.join(', ') || 'every service');
  const sections = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([services, own]) => `## ${services[0].toUpperCase()}${services.slice(1)}

${table(['Metric', 'Kind', 'Labels', 'Shows'], sorted(unique(own.map(({ row }) => row))))}`,
    );
  return `# Metrics

<!-- \`make generate\` writes this page from the code. -->

What \`/metrics\` of the operations port shows, by service. Every sample has the label \`service\`; samples of the index
process of whois have \`process="index"\` too. A service has a metric only if it does what the metric measures, for example
those of PostgreSQL only with a database. Each process also has those of Node.js (\`process_*\`, \`nodejs_*\`).
[Which of them to look at](../operate/operations.md#is-it-healthy-slow-limited-behind); [alerts](alerts.md) use them.

${sections.join('\n\n')}
`;
}

function metricsOf(sources, node) {
  const options = node.arguments[0];
  const parts = ['name', 'help', 'labelNames'].map((name) => propertyOf(options, name));
  const services = servicesOf(node.getSourceFile());
  return callsAround(sources, node, parts.slice(0, 2)).flatMap((bound) => {
    const [name, help] = parts.map((part) => textsOf(sources, part, bound));
    return name.map((one) => ({
      services,
      row: [inCode(one), node.expression.getText().toLowerCase(), labelsOf(parts[2]), help[0].replace(/\.$/, '')],
    }));
  });
}

function labelsOf(node) {
  if (node === undefined) return '';
  const array = ts.isIdentifier(node) ? constantOf(node) : node;
  return nodesOf(array, ts.isStringLiteral)
    .map(({ text }) => inCode(text))
    .join(', ');
}

function constantOf(node) {
  return nodesOf(node.getSourceFile(), ts.isVariableDeclaration).find(({ name }) => name.getText() === node.text)
    .initializer;
}

const unique = (rows) => [...new Map(rows.map((row) => [row.join(), row])).values()];
