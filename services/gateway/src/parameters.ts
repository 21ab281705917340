import type { Message } from '@cadastre/proto/registry';
import type { FastifySchemaCompiler } from 'fastify';
import { HttpError } from './errors.js';
import { messages } from './ripe-messages.js';

interface Described {
  /** Its meaning, for the description of the interface. */
  readonly doc: string;
  readonly example?: string;
  /** An old name of another parameter, which the description omits. */
  readonly isOldName?: true;
}

/** On or off (decision W7). Of a read, `true`, `1`, `yes` and no value are on; of a write, only `true` and no value. */
export interface FlagParameter extends Described {
  readonly kind: 'flag';
}

/** A whole number from 0; the gateway refuses anything else (decision R7). */
interface CountParameter extends Described {
  readonly kind: 'count';
}

/** A text. */
export interface TextParameter extends Described {
  readonly kind: 'text';
  /** Whether the description calls it required. Its route refuses requests without it. */
  readonly required?: true;
  /** For the description: the valid values, if they can be listed. */
  readonly values?: readonly string[];
}

/** Any number of texts. */
interface ListParameter extends Described {
  readonly kind: 'list';
  /** The valid values, if they can be listed. */
  readonly values?: readonly string[];
}

/** A query parameter: the rules for its value, and its description. */
export type QueryParameter = FlagParameter | CountParameter | TextParameter | ListParameter;

/** The query parameters of a route by name. */
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

type ValueOf<P extends QueryParameter> = P extends FlagParameter
  ? boolean
  : P extends CountParameter
    ? number | undefined
    : P extends TextParameter
      ? string
      : readonly string[];

/** The parameters of a request, by name: false, `undefined`, '' and the empty list represent absent ones. */
export type Values<Q extends QueryParameters> = { readonly [N in keyof Q]: ValueOf<Q[N]> };

/** Makes query parameters. */
export const parameter = {
  flag: (doc: string): FlagParameter => ({ kind: 'flag', doc }),
  count: (doc: string): CountParameter => ({ kind: 'count', doc }),
  text: (doc: string, more: Pick<TextParameter, 'required' | 'example' | 'values'> = {}): TextParameter => ({
    kind: 'text',
    doc,
    ...more,
  }),
  list: (doc: string, more: Pick<ListParameter, 'values' | 'example' | 'isOldName'> = {}): ListParameter => ({
    kind: 'list',
    doc,
    ...more,
  }),
};

/** The rules for a query string. */
interface ParameterRules {
  /** Maximum number of parameters; default: any. */
  readonly max: number;
  /** Whether a typing error is refused, so that it never stores anything; default: false. */
  readonly isWrite: boolean;
}

/**
 * Makes Fastify's validation read the query string of each route by the `querystring` of its schema, which is a table
 * of `QueryParameters`.
 */
export function validateParameters({ parameters: max }: { readonly parameters: number }) {
  const compile: FastifySchemaCompiler<QueryParameters> = ({ schema, method }) => {
    const rules = { max, isWrite: ![method].flat().includes('GET') };
    const none = Object.freeze(readParameters('', schema));
    return (query) => ({ value: query === '' ? none : readParameters(query, schema, rules) });
  };
  return compile;
}

/**
 * Reads a query string (without "?"). Throws an HttpError (400) for too many parameters, for those with secrets
 * (decision W8), else for all invalid values, and for repeated parameters that are no lists. A write also refuses
 * unknown parameters and flags that are neither true nor false; a read ignores them, and treats equal repeated values
 * as one (decision W7).
 */
export function readParameters<Q extends QueryParameters>(
  query: string,
  known: Q,
  { max = Number.POSITIVE_INFINITY, isWrite = false }: Partial<ParameterRules> = {},
): Values<Q> {
  if (query === '') return valuesOf(noParameters, known);
  if (query.split('&').length > max) throw new HttpError(400, messages.tooManyParameters(max));
  const sent = new URLSearchParams(query);
  for (const name of sent.keys()) {
    if (isSecretName(name)) throw new HttpError(400, messages.secretParameter(name.toLowerCase()));
  }
  const faultsOf = isWrite ? faultsOfWrite : faultsOfRead;
  const faults = [
    ...(isWrite ? unknownNames(sent, known) : []),
    ...Object.entries(known).flatMap(([name, { kind }]) => faultsOf(kind, name, sent.getAll(name))),
  ];
  if (faults.length > 0) throw new HttpError(400, faults);
  return valuesOf(sent, known);
}

const noParameters = new URLSearchParams();

function valuesOf<Q extends QueryParameters>(sent: URLSearchParams, known: Q): Values<Q> {
  const values: Record<string, unknown> = {};
  for (const name in known) values[name] = readValues[known[name]!.kind](sent.getAll(name));
  // The table has read each value by its kind.
  return values as Values<Q>;
}

function unknownNames(sent: URLSearchParams, known: QueryParameters): Message[] {
  const names = new Set([...sent.keys()].filter((name) => !Object.hasOwn(known, name)));
  const shown = new Set([...names].map((name) => (mayBeShown(name) ? name : undefined)));
  return [...shown].map((name) => messages.unknownParameter(name));
}

type Kind = QueryParameter['kind'];

function faultsOfWrite(kind: Kind, name: string, values: readonly string[]): Message[] {
  if (kind === 'list') return [];
  if (values.length > 1) return [messages.repeatedParameter(name)];
  if (kind === 'flag') return values.filter(isNoFlag).map((value) => messages.invalidFlag(value, name));
  return faultsOfRead(kind, name, values);
}

function isNoFlag(value: string): boolean {
  return !/^(true|false)?$/i.test(value);
}

function faultsOfRead(kind: Kind, name: string, values: readonly string[]): Message[] {
  if (kind === 'list') return [];
  const invalid = kind === 'count' ? values.find((value) => !/^\d+$/.test(value)) : undefined;
  if (invalid !== undefined) return [messages.invalidCount(invalid, name)];
  const isAmbiguous = values.length > 1 && new Set(values.map((value) => readValues[kind]([value]))).size > 1;
  return isAmbiguous ? [messages.repeatedParameter(name)] : [];
}

const largestCount = 0xff_ff_ff_ff;

/** Converts the values of a parameter; the first one counts, unless it is a list. */
const readValues: Record<Kind, (values: readonly string[]) => unknown> = {
  flag: ([value]) => value !== undefined && /^(true|1|yes)?$/i.test(value),
  count: ([value]) => (value === undefined ? undefined : Math.min(Number(value), largestCount)),
  text: ([value = '']) => value,
  list: (values) => [...new Set(values)],
};

/** The names in the values of a list parameter, each of which may have several: `A,B`. */
export function namesIn(values: readonly string[]): string[] {
  return values.flatMap((names) => names.split(',')).filter(Boolean);
}

const secretNames: ReadonlySet<string> = new Set(['password', 'override']);

/** Whether a parameter of this name contains a secret; every route refuses it (decision W8). */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}

/** Names that look like credentials; "key" and "ipkey" are our own parameters. */
const credentialName =
  /^(?!(?:ip)?key$).*(?:auth|bearer|cookie|credential|jwt|key|override|pass|pwd|secret|session|sign|token)/i;
/** The form of all known names. A credential in place of a name does not match it. */
const plainName = /^[a-z]{1,20}(?:[_-][a-z]{1,20}){0,3}$/i;

/** Whether a reply may repeat a parameter: its name does not look like a credential. */
function mayBeShown(name: string): boolean {
  return plainName.test(name) && !credentialName.test(name);
}

/** The query string without the parameters that may hold credentials, for links. */
export function publicQuery(query: string): string {
  return query
    .split('&')
    .filter((part) => part.split(';').every((one) => [...new URLSearchParams(one).keys()].every(mayBeShown)))
    .join('&');
}

/** The bytes of a cursor from a client. Throws an HttpError (400). */
export function cursorBytes(cursor: string): Buffer {
  if (!/^[\w-]+$/.test(cursor)) throw new HttpError(400, messages.invalidCursor());
  return Buffer.from(cursor, 'base64url');
}
