import { isAlias, isMap, isScalar, type Node, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml';

interface Row {
  path: string;
  value: string;
  doc: string;
}

/** A table of a chart's values: path, default, and the comment above each. Takes the text of values.yaml. */
export function valuesTable(text: string): string {
  const document = parseDocument(text);
  const rows = rowsOf(document.contents as YAMLMap, []);
  const documented = rows.map((row) => ({ ...row, doc: row.doc || likeDefaults(row, rows) }));
  const lines = documented.map(({ path, value, doc }) => `| \`${path}\` | ${value && `\`${value}\``} | ${doc} |`);
  return ['| Value | Default | |', '| --- | --- | --- |', ...lines].join('\n');
}

function rowsOf(map: YAMLMap, path: string[]): Row[] {
  return (map.items as Pair<Scalar<string>, Node | null>[]).flatMap(({ key, value }, index) => {
    const here = [...path, key.value];
    const doc = sentence((index === 0 ? map.commentBefore : undefined) ?? key.commentBefore ?? '');
    if (!isMap(value) || value.flow) return [{ path: here.join('.'), value: shown(value), doc }];
    return [...(doc ? [{ path: here.join('.'), value: '', doc }] : []), ...rowsOf(value, here)];
  });
}

/** A comment as one line, without comments above a blank line, which belong to other values. */
function sentence(comment: string): string {
  return comment
    .split('\n\n')
    .pop()!
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function shown(value: Node | null): string {
  if (isAlias(value)) return '';
  return isScalar(value) ? JSON.stringify(value.value) : JSON.stringify(value?.toJSON());
}

/** Describes common values of services only once. */
function likeDefaults({ path }: Row, rows: Row[]): string {
  const twin = path.replace(/^(gateway|objects|auth|search|events|whois|mirror|migrate|cli)\./, 'defaults.');
  return twin !== path && rows.some((row) => row.path === twin || row.path.startsWith(`${twin}.`))
    ? `as \`${twin}\``
    : '';
}
