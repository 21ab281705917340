import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { whoisResourcesBody } from '../documents/whois-resources-body.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import {
  type BodyAttribute,
  type BodyLimits,
  type BodyObject,
  type BodyObjects,
  type ObjectMember,
  objectMembers,
} from './whois-resources.js';

/** Maximum number of values beside the attributes: links, keys and messages of a response that a client sends back. */
const valuesPerAttribute = 12;
const otherValues = 5_000;

/** The parts of the schema that this reads. */
type Document = Nullable<{
  objects: Nullable<{ object: Nullable<Nullable<{ attributes: AttributeList } & SentMembers>[]> }>;
}>;
type SentMembers = Record<(typeof objectMembers)[ObjectMember], Scalar>;
type AttributeList = Nullable<{ attribute: Nullable<Nullable<Record<AttributeMember, Scalar>>[]> }>;
type Nullable<T> = (T extends readonly unknown[] ? T : Partial<T>) | null;
type Scalar = string | number | boolean | null;

const attributeMembers = ['name', 'value', 'comment'] as const;
type AttributeMember = (typeof attributeMembers)[number];

/** Compiling the schema of schemas, to check our own schema, would need a sixth of the start time of a gateway. */
const trusted = { meta: false, validateSchema: false };
const isDocument = new Ajv2020({ allowUnionTypes: true, ...trusted }).compile<Document>(whoisResourcesBody as object);

/**
 * The objects of a whois-resources document. Throws an HttpError (400) with line and column when the document is not
 * well-formed, does not match the schema (which has no members but those of responses), or exceeds a limit.
 */
export function parseJson(text: string, limits: BodyLimits): BodyObjects {
  requireBounds(text, limits.depth, limits.attributes * valuesPerAttribute + otherValues);
  const objects = objectsOf(readDocument(text));
  if (objects.length > limits.objects) throw new HttpError(400, messages.tooManyObjects(limits.objects));
  const all = objects.flatMap(({ attributes }) => attributes);
  if (all.length > limits.attributes) throw new HttpError(400, messages.tooManyAttributes(limits.attributes));
  const hasNumbers = all.some((one) => attributeMembers.some((name) => isNumber(one?.[name])));
  // Few documents have numbers, so only those need the slower parse that preserves their spelling.
  return (hasNumbers ? objectsOf(JSON.parse(text, asWritten)) : objects).map(({ members, attributes }) => ({
    ...bodyMembers(members),
    attributes: attributes.map(bodyAttribute),
  }));
}

/**
 * Limits nesting, values and lines before a parser sees the document. Counts values by brackets and commas outside
 * strings. Throws an HttpError (400).
 */
function requireBounds(text: string, maxDepth: number, maxValues: number): void {
  const maxLines = maxValues * 2;
  let depth = 0;
  let values = 0;
  let lines = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfText(text, at);
        if (end >= text.length) throw malformedAt(text, at, 'a text has no end');
        at = end;
        break;
      }
      case '[':
      case '{':
        if (++depth > maxDepth + 1) throw malformedAt(text, at, `values are nested deeper than ${maxDepth} levels`);
        values++;
        break;
      case ']':
      case '}':
        depth--;
        break;
      case ',':
        values++;
        break;
      case '\n':
      case '\r':
        lines++;
    }
    if (lines > maxLines) throw malformedAt(text, at, `there are more than ${maxLines} lines`);
    if (values > maxValues) throw malformedAt(text, at, `there are more than ${maxValues} values`);
  }
}

/** Index of the quote that ends a text; the end of the document when there is none. */
function endOfText(document: string, start: number): number {
  let at = start + 1;
  while (at < document.length && document[at] !== '"') at += document[at] === '\\' ? 2 : 1;
  return at;
}

function readDocument(text: string): Document {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw syntaxError(text);
  }
  if (!isDocument(document)) throw schemaError(text, isDocument.errors![0]!);
  return document;
}

function objectsOf(document: Document) {
  return (document?.objects?.object ?? []).map((object) => ({
    members: object,
    attributes: object?.attributes?.attribute ?? [],
  }));
}

const memberNames = Object.entries(objectMembers) as [ObjectMember, keyof SentMembers][];

function bodyMembers(sent: Nullable<SentMembers>): Omit<BodyObject, 'attributes'> {
  const members: { -readonly [M in ObjectMember]?: string } = {};
  for (const [member, name] of memberNames) {
    const scalar = sent?.[name];
    if (scalar !== undefined && scalar !== null) members[member] = String(scalar);
  }
  return members;
}

function bodyAttribute(given: Nullable<Record<AttributeMember, Scalar>>): BodyAttribute {
  const attribute: { name?: string; value?: string; comment?: string } = {};
  for (const name of attributeMembers) {
    const scalar = given?.[name];
    if (scalar !== undefined && scalar !== null) attribute[name] = String(scalar);
  }
  return attribute;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

/** Preserves the spelling of numbers: `1.0` remains `1.0`. */
function asWritten(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return isNumber(value) ? source : value;
}

/** The first syntax error. A second parser finds its position, which `JSON.parse` does not return. */
function syntaxError(text: string): HttpError {
  return (
    thrownBy(text, {
      onError(code, offset, _length, line, column) {
        throw malformed(reasonOf(printParseErrorCode(code), text, offset), line, column);
      },
    }) ?? malformed('the document is not valid', 0, 0)
  );
}

function reasonOf(code: string, text: string, offset: number): string {
  if (code === 'UnexpectedEndOfString') return 'a text has no end';
  if (code.startsWith('Invalid') && text[offset] === '"') {
    return 'a text has a raw control character or an unknown escape';
  }
  return offset < text.length
    ? `unexpected character ${JSON.stringify(text[offset])}`
    : 'unexpected end of the document';
}

const expected: Readonly<Record<string, string>> = { string: 'a text', array: 'an array', object: 'an object' };

/** The reason why a document does not match the schema, with its position. */
function schemaError(text: string, { instancePath, keyword, params }: ErrorObject): HttpError {
  const path = instancePath.split('/').slice(1);
  if (keyword === 'additionalProperties') {
    const member: string = params.additionalProperty;
    return errorAt(text, [...path, member], `Unrecognized field "${member}"`);
  }
  const name = path.findLast((segment) => !/^\d+$/.test(segment));
  const what = expected[params.type[0]] ?? 'something else';
  return errorAt(text, path, `${what} is expected for ${name === undefined ? 'the document' : `"${name}"`}`);
}

/** An error at the member or the item of a path. */
function errorAt(text: string, path: readonly string[], reason: string): HttpError {
  const visited = (line: number, column: number, found: readonly (string | number)[], name?: string) => {
    const length = found.length + (name === undefined ? 0 : 1);
    if (length !== path.length || (name !== undefined && name !== path.at(-1))) return;
    if (found.every((segment, index) => String(segment) === path[index])) throw malformed(reason, line, column);
  };
  return (
    thrownBy(text, {
      onObjectProperty: (name, _offset, _length, line, column, found) => visited(line, column, found(), name),
      onObjectBegin: (_offset, _length, line, column, found) => visited(line, column, found()),
      onArrayBegin: (_offset, _length, line, column, found) => visited(line, column, found()),
      onLiteralValue: (_value, _offset, _length, line, column, found) => visited(line, column, found()),
    }) ?? malformed(reason, 0, 0)
  );
}

/** The error that a visitor throws to end its visit. Otherwise the parser would continue after an error. */
function thrownBy(text: string, visitor: JSONVisitor): HttpError | undefined {
  try {
    visit(text, visitor, { disallowComments: true });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof HttpError) return thrown;
    throw thrown;
  }
}

/** `line` and `column` begin at 0. */
function malformed(reason: string, line: number, column: number): HttpError {
  return new HttpError(400, messages.malformedJson(reason, line + 1, column + 1));
}

function malformedAt(text: string, at: number, reason: string): HttpError {
  let line = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return malformed(reason, line, at - start);
}
