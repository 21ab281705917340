import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { mismatchOf, whoisResources } from './json-schema.js';
import type { BodyAttribute, BodyLimits, BodyObjects } from './whois-resource.js';

const maxDepth = 32;

type Scalar = string | boolean | null;
interface Document {
  readonly objects?: {
    readonly object?:
      | readonly ({
          readonly attributes?: {
            readonly attribute?: readonly ({ name?: Scalar; value?: Scalar; comment?: Scalar } | null)[] | null;
          } | null;
        } | null)[]
      | null;
  } | null;
}

/**
 * The objects of a whois-resources document. Members that answers do not have are refused. Throws a Refusal (400)
 * that names line and column for what is not well-formed or not of the expected shape, and for excesses.
 */
export function parseJson(text: string, limits: BodyLimits): BodyObjects {
  refuseDeepNesting(text);
  const document = parse(text);
  const mismatch = mismatchOf(document, whoisResources);
  if (mismatch !== undefined) throw malformed(mismatch.reason, text, memberPosition(text, mismatch.member));
  const objects = (document as Document | null)?.objects?.object ?? [];
  const lists = objects.map((object) => object?.attributes?.attribute ?? []);
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (count > limits.attributes) throw new Refusal(400, messages.tooManyAttributes(limits.attributes));
  return lists.map((list) => list.map(bodyAttribute));
}

function bodyAttribute(given: { name?: Scalar; value?: Scalar; comment?: Scalar } | null): BodyAttribute {
  const attribute: { name?: string; value?: string; comment?: string } = {};
  for (const member of ['name', 'value', 'comment'] as const) {
    const scalar = given?.[member];
    if (scalar !== undefined && scalar !== null) attribute[member] = String(scalar);
  }
  return attribute;
}

/** Numbers become the text that was sent: "1.0" stays "1.0". */
function asWritten(_name: string, value: unknown, context: { source?: string }): unknown {
  return typeof value === 'number' ? (context.source ?? String(value)) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, asWritten as (this: unknown, name: string, value: unknown) => unknown);
  } catch (error) {
    const reason = (error as Error).message;
    const position = Number(/at position (\d+)/.exec(reason)?.[1] ?? text.length);
    throw malformed(plainReason(reason), text, position);
  }
}

/** The parser's sentence without positions and without what it quotes from the document. */
function plainReason(reason: string): string {
  return reason.replace(/,? \.{0,3}".*$/s, '').replace(/(?: in JSON)?(?: at position .*)?$/s, '');
}

/** Refuses before parsing what would nest too deeply; looks at brackets outside strings only. */
function refuseDeepNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw malformed(`values are nested deeper than ${maxDepth} levels`, text, at);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

/** Where a member of that name first stands. */
function memberPosition(text: string, name: string | undefined): number {
  if (name === undefined) return 0;
  const written = JSON.stringify(name);
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
    if (/^\s*:/.test(text.slice(at + written.length, at + written.length + 200))) return at;
  }
  return 0;
}

function malformed(reason: string, text: string, position: number): Refusal {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return new Refusal(400, messages.malformedJson(reason, line, position - before.lastIndexOf('\n')));
}
