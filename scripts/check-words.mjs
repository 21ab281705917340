// Refuses words of our own for which the trade has others (docs/develop/glossary.md), at the start of identifiers and in comments.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const names = /^(most|kept|asked|told|tell|whoever|perhaps)(?![a-z])/;
const prose = /\b(whoever|goes on|go on|told|for want of|in the words of|becomes? of|became of|bears?|broke off)\b/i;
/** Contracts, which other systems use, have these names: proto/, and `most` in the limits of the REST interface. */
const inContracts = new Set(['tellOwner', 'tellHolding', 'askedTo', 'most']);

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { encoding: 'utf8' }).trim().split('\n');
const found = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const places = new Set();
  const add = (position, word) =>
    places.add(`${file}:${source.getLineAndCharacterOfPosition(position).line + 1}: ${word}`);
  const checkNames = (node) => {
    if (ts.isIdentifier(node) && names.test(node.text) && !inContracts.has(node.text))
      add(node.getStart(source), node.text);
    ts.forEachChild(node, checkNames);
  };
  const checkComments = (node) => {
    const parts = node.getChildren(source);
    for (const part of parts) checkComments(part);
    if (parts.length > 0 || ts.isJsxText(node)) return;
    const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    for (const { pos, end } of [...before, ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? [])]) {
      const [word] = prose.exec(text.slice(pos, end).replaceAll(/`[^`]*`/g, '')) ?? [];
      if (word !== undefined) add(pos, word);
    }
  };
  checkNames(source);
  if (prose.test(text)) checkComments(source);
  return [...places];
});
for (const place of found) console.error(place);
if (found.length > 0) {
  console.error('Use the words of docs/develop/glossary.md.');
  process.exit(1);
}
