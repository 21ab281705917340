// Prints docs/reference/grpc.md from the contracts and from what services allow.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { inCode, nodesOf, table } from './sources.mjs';

export function grpcPage(sources) {
  const files = execFileSync('git', ['ls-files', 'proto/cadastre'], { encoding: 'utf8' }).trim().split('\n');
  const allowed = allowedCallers(sources);
  const sections = files
    .filter((name) => name.endsWith('.proto'))
    .flatMap((name) => servicesIn(readFileSync(name, 'utf8')))
    .map(({ name, comment, methods }) => {
      const rows = methods.map((method) => [
        inCode(method.name),
        method.kind,
        (allowed.get(`${name.split('.').at(-1)}/${method.name}`) ?? allowed.get(name) ?? []).join(', '),
        method.comment,
      ]);
      return `## ${name}\n\n${comment}\n\n${table(['Method', 'Kind', 'Our callers', 'Does'], rows)}`;
    });
  return `# gRPC

<!-- \`make generate\` writes this page from proto/ and from the services. -->

All services and methods. Besides the callers of ours in the table, only the operator's own systems may call, which
[settings](../operate/operations.md#who-may-call-by-grpc) name. The [contracts](../../proto/) describe every message and
field, and the errors of each method. [How to begin](../use/grpc.md).

${sections.join('\n\n')}
`;
}

function servicesIn(text) {
  const pkg = /^package (\S+);/m.exec(text)[1];
  return [...text.matchAll(/((?:^\/\/[^\n]*\n)*)^service (\w+) \{\n(.*?)^\}/gms)].map(([, comment, name, body]) => ({
    name: `${pkg}.${name}`,
    comment: paragraphOf(comment),
    methods: [...body.matchAll(/((?:^ *\/\/.*\n)*)^ *rpc (\w+)\((stream )?.*?\) returns \((stream )?/gm)].map(
      ([, about, method, requests, responses]) => ({
        name: method,
        kind: [requests && 'stream of requests', responses && 'stream of responses'].filter(Boolean).join(', '),
        comment: sentenceOf(about),
      }),
    ),
  }));
}

const lines = (comment) => comment.split('\n').map((line) => line.replace(/^ *\/\/ ?/, ''));
const paragraphOf = (comment) => lines(comment).join('\n').trim().split('\n\n')[0];
const sentenceOf = (comment) =>
  /^.*?(?:[.:](?= [A-Z]|$)|$)/.exec(lines(comment).join(' ').trim())[0].replace(/\.$/, '');

/** Names of our services by service or method. */
function allowedCallers({ files }) {
  const isTable = (node) => ts.isVariableDeclaration(node) && node.name.getText() === 'allowedCallers';
  const entries = files.flatMap((file) =>
    nodesOf(file, isTable).flatMap(({ initializer }) =>
      initializer.properties.map((property) => [
        keyOf(property.name),
        nodesOf(property.initializer, ts.isStringLiteral).map(({ text }) => text),
      ]),
    ),
  );
  return new Map(entries);
}

/** `[WriterServiceService.createObject.path]` is `WriterService/CreateObject`: no two packages share a service's name. */
function keyOf(name) {
  if (ts.isStringLiteral(name)) return name.text;
  const [service, method] = name.expression.getText().split('.');
  return `${service.replace(/Service$/, '')}/${method[0].toUpperCase()}${method.slice(1)}`;
}
