// Refuses words of our own for which the field or the trade has others (docs/develop/glossary.md): in identifiers, in
// comments, and in the prose of contracts, documents and deployment files.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Beginnings and parts of identifiers. */
const names =
  /^(most|kept|asked|told|tell|whoever|perhaps)(?![a-z])|[a-z](Kept|Asked|Told)(?![a-z])|[pP]atien(ce|t)(?![a-z])|[yY]outh/;
/** Contracts, which other systems use, have these names: proto/, and `most` in the limits of the REST interface. */
const inContracts = new Set(['tellOwner', 'ownerTold', 'tellHolding', 'askedTo', 'most']);

/** Refused words, with those of the glossary. */
const words = [
  [/told|tells?|telling/, 'say, show, report, notify, distinguish'],
  [/whoever/, 'who, anybody who, the client that'],
  [/goes on|go on|going on|went on|gone on/, 'continue'],
  [/at once/, 'immediately, concurrently, together'],
  [/at the most/, 'at most'],
  [/asked again|asks? again/, 'retry, repeat'],
  [/patience|patient|patiently|youth/, 'timeout, deadline'],
  [/young(?:er|est)?(?! generation| objects)/, 'new, newer, recent'],
  [/(?:is|are|was|were|be|been) away/, 'unavailable, disconnected'],
  [/kept for/, 'stored for'],
  [/gather(?:s|ed|ing)?/, 'collect, wait for a batch'],
  [/perhaps/, 'may, possibly'],
  [/of (?:its|their) own accord/, 'by itself'],
  [/let(?:s|ting)? go/, 'release'],
  [/so old/, 'stale'],
  [/the ways? of/, 'how'],
  [/for want of/, 'without'],
  [/in the words of/, 'as ... says'],
  [/becomes? of|became of/, 'the result'],
  [/bears?/, 'have'],
  [/broke off/, 'ended'],
];
/** A line break within a word becomes blanks before the search. */
const refused = words.map(([{ source }, use]) => ({
  word: new RegExp(`\\b(?:${source.replaceAll(' ', ' +')})\\b`, 'gi'),
  use,
}));

/** Pages that a program writes, that state what was, or that list these words. */
const isExempt = (file) =>
  /^docs\/(reference|measurements)\/|^CHANGELOG\.md$|glossary\.md$|check-words\.mjs$|VALUES\.md$/.test(file);
const isCode = (file) => /\.(ts|tsx|mjs)$/.test(file);

const found = [];

/** As one line of the same length, without the comment signs at the beginnings of its lines. */
const joined = (text) =>
  text.replaceAll(/\n[ \t]*(\/\/+|\*(?!\*)|#+|>)?[ \t]*/g, (breaking) => ' '.repeat(breaking.length));
const withoutCode = (text) => text.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[^\n]/g, '`'));

function checkProse(file, text, start = 0, end = text.length) {
  const prose = joined(withoutCode(text.slice(start, end)));
  for (const { word, use } of refused) {
    for (const { 0: match, index } of prose.matchAll(word)) {
      const line = text.slice(0, start + index).split('\n').length;
      found.push(`${file}:${line}: ${match.replaceAll(/ +/g, ' ')} (${use})`);
    }
  }
}

function checkCode(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const checkNames = (node) => {
    if (ts.isIdentifier(node) && names.test(node.text) && !inContracts.has(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${line + 1}: ${node.text}`);
    }
    ts.forEachChild(node, checkNames);
  };
  const checked = new Set();
  const checkComments = (node) => {
    const parts = node.getChildren(source);
    for (const part of parts) checkComments(part);
    if (parts.length > 0 || ts.isJsxText(node)) return;
    const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    for (const comments of [before, ts.getTrailingCommentRanges(text, node.getEnd()) ?? []]) {
      const [first] = comments;
      if (first === undefined || checked.has(first.pos)) continue;
      checkProse(file, text, first.pos, comments.at(-1).end);
      checked.add(first.pos);
    }
  };
  checkNames(source);
  const prose = joined(text);
  if (refused.some(({ word }) => prose.search(word) >= 0)) checkComments(source);
}

const patterns = ['*.ts', '*.tsx', '*.mjs', '*.sh', '*.proto', '*.md', 'compose.yaml', 'Makefile', 'Dockerfile'];
const files = execFileSync('git', ['ls-files', ...patterns, 'deploy/helm/cadastre'], { encoding: 'utf8' });
for (const file of files.trim().split('\n')) {
  if (isExempt(file)) continue;
  const text = readFileSync(file, 'utf8');
  if (isCode(file)) checkCode(file, text);
  else
    checkProse(
      file,
      text.replaceAll(/^ *```.*?^ *```$/gms, (code) => code.replaceAll(/[^\n]/g, ' ')),
    );
}
for (const place of found) console.error(place);
if (found.length > 0) {
  console.error('Use the words of docs/develop/glossary.md.');
  process.exit(1);
}
