// Refuses identifiers that begin with words of our own for which the trade has others (docs/develop/glossary.md).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const words = /^(most|kept|asked|told|tell|whoever|perhaps)(?![a-z])/;
/** Contracts, which other systems use, have these names: proto/, and `most` in the limits of the REST interface. */
const inContracts = new Set(['tellOwner', 'tellHolding', 'askedTo', 'most']);

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { encoding: 'utf8' }).trim().split('\n');
const found = files.flatMap((file) => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false);
  const places = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && words.test(node.text) && !inContracts.has(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      places.push(`${file}:${line + 1}: ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
});
for (const place of found) console.error(place);
if (found.length > 0) {
  console.error('Use the words of docs/develop/glossary.md.');
  process.exit(1);
}
