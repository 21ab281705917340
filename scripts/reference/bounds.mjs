// Prints docs/reference/bounds.md: what the gateway accepts, and the constants whose names begin with `max`.
import ts from 'typescript';
import { clientBounds } from './client-bounds.mjs';
import { inCode, sorted, table } from './sources.mjs';

export function boundsPage(sources) {
  const { files } = sources;
  const groups = Map.groupBy(
    files.flatMap((file) => boundsOf(file)),
    ({ part }) => part,
  );
  const sections = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([part, own]) => `## ${part}\n\n${table(['Bound', 'Value', 'Of', 'In'], sorted(own.map(({ row }) => row)))}`);
  return `# Bounds

<!-- \`make generate\` writes this page from the code. -->

Maximums that are constants of the code, because no operator needs to choose them. Those that an operator chooses are
[settings](settings.md).

## Of a client of the gateway

[The edge](../operate/edge.md#bounds) says who a client is. Port 43 has
[others](../../services/whois/README.md#limits-of-a-client).

${clientBounds(sources, numberOf)}

${sections.join('\n\n')}
`;
}

function boundsOf(file) {
  return file.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      const value = initializer && numberOf(initializer);
      if (value === undefined || !/^max[A-Z]/.test(name.getText())) return [];
      const [kind, part, , ...path] = file.fileName.split('/');
      const row = [inCode(name.text), shown(name.text, value), commentOf(statement), inCode(path.join('/'))];
      return [{ part: kind === 'libs' ? `libs/${part}` : part, row }];
    }),
  );
}

/** The value of an expression of numbers; undefined if it has anything else. */
function numberOf(node) {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node)) return numberOf(node.expression);
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [numberOf(node.left), numberOf(node.right)];
  if (left === undefined || right === undefined) return undefined;
  const { kind } = node.operatorToken;
  if (kind === ts.SyntaxKind.AsteriskToken) return left * right;
  if (kind === ts.SyntaxKind.PlusToken) return left + right;
  if (kind === ts.SyntaxKind.LessThanLessThanToken) return left << right;
  return undefined;
}

function shown(name, value) {
  if (/(Bytes|Octets|Characters)$/.test(name)) {
    if (value >= 1 << 20 && value % (1 << 18) === 0) return `${value / (1 << 20)} Mi`;
    if (value >= 1 << 10 && value % (1 << 10) === 0) return `${value / (1 << 10)} Ki`;
  }
  if (/Ms$/.test(name) && value >= 1_000) return `${(value / 1_000).toLocaleString('en')} s`;
  return value.toLocaleString('en');
}

function commentOf(statement) {
  const [comment] = ts.getJSDocCommentsAndTags(statement);
  return (ts.getTextOfJSDocComment(comment?.comment) ?? '').replace(/\s+/g, ' ').replace(/\.$/, '');
}
