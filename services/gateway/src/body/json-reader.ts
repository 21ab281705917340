/** A JSON value with the place where it stands. Recursion over it is safe: its depth is limited. */
export type JsonNode =
  | { readonly kind: 'null'; readonly at: number }
  /** Text, number (as it was written) or boolean. */
  | { readonly kind: 'scalar'; readonly at: number; readonly text: string }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly at: number; readonly members: readonly JsonMember[] };

/** One member of an object; names may repeat, the last one counts. */
export interface JsonMember {
  readonly name: string;
  readonly at: number;
  readonly value: JsonNode;
}

/** What is wrong with a document, and at which character. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  constructor(
    readonly reason: string,
    readonly at: number,
  ) {
    super(reason);
  }
}

/** Bounds on a document, whatever its length. */
export interface JsonLimits {
  /** How deep values may be nested. */
  readonly depth: number;
  /** Values of all kinds together. */
  readonly values: number;
}

/** Counts a value at a depth. Throws a JsonFault when there are too many, or it is nested too deep. */
type Count = (at: number, depth: number) => void;

/** A value, and where the text goes on behind it. */
interface Read<T> {
  readonly value: T;
  readonly end: number;
}

/** Reads a whole document strictly by RFC 8259. Throws a JsonFault. */
export function readJson(text: string, limits: JsonLimits): JsonNode {
  const { value, end } = readValue(text, skipSpace(text, 0), counter(limits), 0);
  const rest = skipSpace(text, end);
  if (rest < text.length) throw new JsonFault('the document goes on behind its end', rest);
  return value;
}

function counter(limits: JsonLimits): Count {
  let values = 0;
  return (at, depth) => {
    if (depth > limits.depth) throw new JsonFault(`values are nested deeper than ${limits.depth} levels`, at);
    if (++values > limits.values) throw new JsonFault(`there are more than ${limits.values} values`, at);
  };
}

function readValue(text: string, at: number, count: Count, depth: number): Read<JsonNode> {
  count(at, depth);
  switch (text[at]) {
    case '{':
      return readObject(text, at, count, depth);
    case '[':
      return readList(text, at, count, depth);
    case '"': {
      const { value, end } = readString(text, at);
      return { value: { kind: 'scalar', at, text: value }, end };
    }
    default:
      return readLiteral(text, at);
  }
}

function readObject(text: string, at: number, count: Count, depth: number): Read<JsonNode> {
  const members: JsonMember[] = [];
  let next = skipSpace(text, at + 1);
  if (text[next] === '}') return { value: { kind: 'object', at, members }, end: next + 1 };
  for (;;) {
    const nameAt = next;
    const name = readString(text, nameAt);
    const value = readValue(text, skipSpace(text, expect(text, skipSpace(text, name.end), ':')), count, depth + 1);
    members.push({ name: name.value, at: nameAt, value: value.value });
    next = skipSpace(text, value.end);
    if (text[next] === '}') return { value: { kind: 'object', at, members }, end: next + 1 };
    next = skipSpace(text, expect(text, next, ','));
  }
}

function readList(text: string, at: number, count: Count, depth: number): Read<JsonNode> {
  const items: JsonNode[] = [];
  let next = skipSpace(text, at + 1);
  if (text[next] === ']') return { value: { kind: 'list', at, items }, end: next + 1 };
  for (;;) {
    const { value, end } = readValue(text, next, count, depth + 1);
    items.push(value);
    next = skipSpace(text, end);
    if (text[next] === ']') return { value: { kind: 'list', at, items }, end: next + 1 };
    next = skipSpace(text, expect(text, next, ','));
  }
}

function readString(text: string, at: number): Read<string> {
  if (text[at] !== '"') throw unexpected(text, at);
  let end = at + 1;
  while (text[end] !== '"') {
    if (end >= text.length) throw new JsonFault('a text has no end', at);
    end += text[end] === '\\' ? 2 : 1;
  }
  try {
    // Escapes and characters that are not allowed are the business of the platform's own parser.
    return { value: JSON.parse(text.slice(at, end + 1)), end: end + 1 };
  } catch {
    throw new JsonFault('a text has a raw control character or an unknown escape', at);
  }
}

const literal = /(?:(null)|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function readLiteral(text: string, at: number): Read<JsonNode> {
  literal.lastIndex = at;
  const match = literal.exec(text);
  if (match === null) throw unexpected(text, at);
  const end = at + match[0].length;
  return { value: match[1] ? { kind: 'null', at } : { kind: 'scalar', at, text: match[0] }, end };
}

function expect(text: string, at: number, mark: string): number {
  if (text[at] !== mark) throw unexpected(text, at);
  return at + 1;
}

function unexpected(text: string, at: number): JsonFault {
  if (at >= text.length) return new JsonFault('unexpected end of the document', text.length);
  return new JsonFault(`unexpected character ${JSON.stringify(text[at])}`, at);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}
