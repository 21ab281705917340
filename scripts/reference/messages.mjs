// Prints docs/reference/messages.md from the calls in the code that make messages.
import ts from 'typescript';
import { calledName, inCode, nodesOf, sorted, table, textsOf } from './sources.mjs';

const severities = { warning: 'warning', info: 'info' };
const shared = 'libs/rpsl/src/messages/requests.ts';

/** Texts and the makers that may make them, by part of the code. */
const parts = [
  ['Requests of any kind', (name) => name === shared, ['error', 'uncut', 'filled']],
  [
    'Objects and their rules',
    (name) => name !== shared && /^(libs\/rpsl|services\/objects)\//.test(name),
    ['error', 'warning', 'info'],
  ],
  [
    'Queries',
    (name) => /^(libs\/query|services\/(search|whois))\//.test(name),
    ['error', 'warning', 'info', 'failureMessage'],
  ],
  ['Requests of REST and RDAP', (name) => name.startsWith('services/gateway/'), ['failureMessage', 'filled']],
];

export function messagesPage(sources) {
  const sections = parts.map(([title, has, makers]) => {
    const calls = sources.files
      .filter(({ fileName }) => has(fileName))
      .flatMap((file) => nodesOf(file, (node) => isMaker(node, makers)));
    const rows = calls.flatMap((call) =>
      textsOf(sources, call.arguments[0])
        .filter((text) => /[a-z]/.test(text))
        .map((text) => [severities[calledName(call)] ?? 'error', inCode(text.trim().replace(/\n+/g, ' '))]),
    );
    return `## ${title}\n\n${table(['Severity', 'Text'], sorted([...new Map(rows.map((row) => [row.join(), row])).values()]))}`;
  });
  return `# Messages

<!-- \`make generate\` writes this page from the code. -->

What the registry says about objects, queries and requests. \`%s\` and \`%d\` are arguments, which documents have beside the
text; words in capitals stand for what the service fills in. Clients of the RIPE Database know many of these texts.

${sections.join('\n\n')}
`;
}

function isMaker(node, makers) {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && makers.includes(calledName(node));
}
