// Reads TypeScript sources for the pages of docs/reference/: which texts an expression may have.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Sources of services and their libraries, without tests. */
export function readSources() {
  const names = execFileSync('git', ['ls-files', 'services/*/src/*.ts', 'libs/*/src/*.ts'], { encoding: 'utf8' });
  const files = names
    .trim()
    .split('\n')
    .filter((name) => !/\.test\.ts$|\/testing\b|^libs\/system\//.test(name))
    .map((name) => ts.createSourceFile(name, readFileSync(name, 'utf8'), ts.ScriptTarget.Latest, true));
  const calls = Map.groupBy(
    files.flatMap((file) => nodesOf(file, ts.isCallExpression)),
    calledName,
  );
  return { files, callsOf: (name) => calls.get(name) ?? [] };
}

/** All nodes below `root` that `is` accepts. */
export function nodesOf(root, is) {
  const found = [];
  const visit = (node) => {
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** The name of the function or method of a call. */
export function calledName({ expression }) {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : undefined;
}

/** The value of a property of an object literal. */
export function propertyOf(object, name) {
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find((one) => one.name?.getText() === name);
  if (property === undefined) {
    const spread = object.properties.filter(ts.isSpreadAssignment);
    return spread.map((one) => propertyOf(one.expression, name)).find((value) => value !== undefined);
  }
  return ts.isShorthandPropertyAssignment(property) ? property.name : property.initializer;
}

/** Names of the properties of an object literal; `...` for what is spread into it. */
export function propertyNames(object) {
  return object.properties.map((one) => (ts.isSpreadAssignment(one) ? '...' : one.name.getText()));
}

/**
 * The calls of the function around a node whose parameters its expressions use, each as parameter to argument. One empty
 * map where there is no such function.
 */
export function callsAround(sources, node, expressions) {
  const used = new Set(expressions.flatMap((one) => nodesOf(one, ts.isIdentifier)).map(({ text }) => text));
  for (let around = node.parent; around; around = around.parent) {
    const bound = parametersOf(around);
    if (!bound.some((one) => used.has(one.name))) continue;
    const calls = callsTo(sources, around);
    if (calls.length > 0) return calls.map((call) => new Map(bound.map((one) => [one.name, one.of(call)])));
  }
  return [new Map()];
}

/** How many names one after the other are followed to their values. */
const maxDepth = 4;

/** Each text that an expression may have; what is known at run time only is `NAME`. */
export function textsOf(sources, node, bound = new Map(), depth = 0) {
  const texts = (inner) => textsOf(sources, inner, bound, depth);
  const follow = (inner) => textsOf(sources, inner, bound.has(node.getText()) ? new Map() : bound, depth + 1);
  if (node === undefined) return ['...'];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (begun, { expression, literal }) =>
        begun.flatMap((start) => texts(expression).map((text) => start + text + literal.text)),
      [node.head.text],
    );
  }
  if (ts.isConditionalExpression(node)) return [...texts(node.whenTrue), ...texts(node.whenFalse)];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return texts(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return texts(node.left).flatMap((left) => texts(node.right).map((right) => left + right));
  }
  if (ts.isPropertyAccessExpression(node) && depth < maxDepth) {
    const objects = valuesOf(sources, node.expression, bound);
    const values = objects.flatMap((object) => propertyOf(object, node.name.text) ?? []);
    if (values.length > 0) return values.flatMap(follow);
  }
  if (ts.isIdentifier(node) && depth < maxDepth) {
    const values = valuesOf(sources, node, bound).filter((value) => value !== node);
    if (values.length > 0) return values.flatMap(follow);
  }
  return [node.getText().replace(/^.*\./s, '').replace(/\W/g, '').toUpperCase()];
}

/** What a name stands for: an argument, the value of a constant, or that of a parameter in every call. */
function valuesOf(sources, node, bound) {
  if (!ts.isIdentifier(node)) return [node];
  const argument = bound.get(node.text);
  if (argument !== undefined) return [argument];
  for (let around = node.parent; around; around = around.parent) {
    if (ts.isBlock(around) || ts.isSourceFile(around)) {
      const constant = around.statements
        .filter(ts.isVariableStatement)
        .flatMap(({ declarationList }) => declarationList.declarations)
        .find(({ name }) => name.getText() === node.text);
      if (constant?.initializer !== undefined) return [constant.initializer];
    }
    const parameter = parametersOf(around).find(({ name }) => name === node.text);
    if (parameter !== undefined) return callsTo(sources, around).flatMap((call) => parameter.of(call) ?? []);
  }
  return [];
}

/** The parameters of a function, also those that it takes out of an object, and how a call gives them. */
function parametersOf(node) {
  if (!ts.isFunctionLike(node)) return [];
  return node.parameters.flatMap(({ name }, index) => {
    if (ts.isIdentifier(name)) return [{ name: name.text, of: (call) => call.arguments[index] }];
    if (!ts.isObjectBindingPattern(name)) return [];
    return name.elements.map((one) => ({
      name: one.name.getText(),
      of: (call) => propertyOf(call.arguments[index], (one.propertyName ?? one.name).getText()),
    }));
  });
}

/** A function with more calls has texts that only a run shows. */
const maxCalls = 40;

function callsTo(sources, node) {
  const name = node.name?.getText() ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined);
  if (name === undefined) return [];
  const isExported =
    ts.isFunctionDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const file = node.getSourceFile();
  const calls = sources.callsOf(name).filter((call) => isExported || call.getSourceFile() === file);
  return calls.length > maxCalls ? [] : calls;
}

const packages = execFileSync('git', ['ls-files', 'services/*/package.json'], { encoding: 'utf8' }).trim().split('\n');
const services = packages.map((file) => {
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8'));
  return { name: file.split('/')[1], dependencies: Object.keys(dependencies) };
});

/** The services that contain a source file; none if all do. */
export function servicesOf(file) {
  const [kind, name] = file.fileName.split('/');
  if (kind === 'services') return [name];
  const using = services.filter(({ dependencies }) => dependencies.includes(`@cadastre/${name}`));
  return using.length === services.length ? [] : using.map((service) => service.name);
}

/** A table of Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

export const inCode = (text) => `\`${text}\``;

/** Sorts rows by their first cells. */
export const sorted = (rows) => rows.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
