// Prints docs/reference/log-events.md from the calls of loggers in the code.
import ts from 'typescript';
import {
  calledName,
  callsAround,
  inCode,
  nodesOf,
  propertyNames,
  servicesOf,
  sorted,
  table,
  textsOf,
} from './sources.mjs';

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

function isEvent(node) {
  if (!ts.isCallExpression(node) || !levels.has(calledName(node))) return false;
  return (
    ts.isPropertyAccessExpression(node.expression) && /\b(log|logger)\??$/.test(node.expression.expression.getText())
  );
}

export function logEventsPage(sources) {
  const events = sources.files.flatMap((file) => nodesOf(file, isEvent).flatMap((node) => eventsOf(sources, node)));
  const known = events.filter(({ message }) => /[a-z]/.test(message));
  const same = Map.groupBy(known, ({ level, message }) => `${level} ${message}`);
  const rows = [...same.values()].map((all) => [
    inCode(all[0].message),
    all[0].level,
    unique(all.flatMap(({ fields }) => fields))
      .map(inCode)
      .join(', '),
    all.some(({ services }) => services.length === 0)
      ? 'all'
      : unique(all.flatMap(({ services }) => services)).join(', '),
  ]);
  return `# Log events

<!-- \`make generate\` writes this page from the code. -->

Each event is one JSON line on standard output, with \`level\`, \`time\`, \`service\` and \`msg\`. \`requestId\` is the same in
all services. Logs never contain query strings, headers, credentials or bodies. Words in capitals stand for what the
process fills in; \`...\` for further fields. The [runbook](../operate/runbook.md#log-events) says what to do.

${table(['`msg`', 'Level', 'Fields', 'Services'], sorted(rows))}
`;
}

function eventsOf(sources, node) {
  const [first, second] = node.arguments;
  const text = second ?? first;
  const fields = second === undefined ? [] : fieldsOf(first);
  return callsAround(sources, node, [text]).flatMap((bound) =>
    textsOf(sources, text, bound).map((message) => ({
      level: calledName(node),
      message,
      fields,
      services: servicesOf(node.getSourceFile()),
    })),
  );
}

const fieldsOf = (node) => (ts.isObjectLiteralExpression(node) ? propertyNames(node) : ['...']);

const unique = (values) => [...new Set(values)];
