import type { Message } from '@cadastre/proto/registry';
import type { FastifySchemaCompiler } from 'fastify';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { isSecretName, mayBeShown } from './secret-parameters.js';

interface Described {
  /** What it means, for the description of the interface. */
  readonly doc: string;
  readonly example?: string;
}

/** On or off: bare, empty or "true" is on, "false" is off, anything else is refused (decision W7). */
export interface FlagParameter extends Described {
  readonly kind: 'flag';
}

/** A whole number from 0; anything else is refused (decision R7). */
export interface CountParameter extends Described {
  readonly kind: 'count';
}

/** A text. */
export interface TextParameter extends Described {
  readonly kind: 'text';
  /** Whether the description calls it required. That it is missing is for its route to say. */
  readonly required?: true;
}

/** Any number of texts. */
export interface ListParameter extends Described {
  readonly kind: 'list';
  /** The valid values, if they can be listed. */
  readonly values?: readonly string[];
}

/** A query parameter: what may be read of a query string, and what the description of the interface says. */
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

/** What was sent, by name: false, `undefined`, '' and the empty list stand for what was not sent. */
export type Values<Q extends QueryParameters> = { readonly [N in keyof Q]: ValueOf<Q[N]> };

/** Makes query parameters. */
export const parameter = {
  flag: (doc: string): FlagParameter => ({ kind: 'flag', doc }),
  count: (doc: string): CountParameter => ({ kind: 'count', doc }),
  text: (doc: string, more: Pick<TextParameter, 'required' | 'example'> = {}): TextParameter => ({
    kind: 'text',
    doc,
    ...more,
  }),
  list: (doc: string, more: Pick<ListParameter, 'values' | 'example'> = {}): ListParameter => ({
    kind: 'list',
    doc,
    ...more,
  }),
};

/** How a query string is read. */
export interface ParameterRules {
  /** Most parameters; any number unless given. */
  readonly most: number;
  /** Whether unknown parameters are refused, so that a typing error never stores anything; `ignored` unless given. */
  readonly unknown: 'ignored' | 'refused';
}

/**
 * Has Fastify's validation read the query string of each route by the `querystring` of its schema, which is a table of
 * `QueryParameters`. Reads pass over unknown parameters, writes refuse them.
 */
export function validateParameters({ parameters: most }: { readonly parameters: number }) {
  const compile: FastifySchemaCompiler<QueryParameters> = ({ schema, method }) => {
    const rules = { most, unknown: [method].flat().includes('GET') ? 'ignored' : 'refused' } as const;
    const none = Object.freeze(readParameters('', schema));
    return (query) => ({ value: query === '' ? none : readParameters(query, schema, rules) });
  };
  return compile;
}

/**
 * Reads a query string (without "?"). Throws an HttpError (400) for too many parameters, for those that carry secrets
 * (decision W8), else for all that are not of their kind, unknown where that is refused (decision W7), or given more
 * than once though they are no lists.
 */
export function readParameters<Q extends QueryParameters>(
  query: string,
  known: Q,
  { most = Number.POSITIVE_INFINITY, unknown = 'ignored' }: Partial<ParameterRules> = {},
): Values<Q> {
  if (query === '') return valuesOf(noParameters, known);
  if (query.split('&').length > most) throw new HttpError(400, messages.tooManyParameters(most));
  const sent = new URLSearchParams(query);
  for (const name of sent.keys()) {
    if (isSecretName(name)) throw new HttpError(400, messages.secretParameter(name.toLowerCase()));
  }
  const faults = [
    ...(unknown === 'refused' ? unknownNames(sent, known) : []),
    ...Object.entries(known).flatMap(([name, { kind }]) => faultsOf(kind, name, sent.getAll(name))),
  ];
  if (faults.length > 0) throw new HttpError(400, faults);
  return valuesOf(sent, known);
}

const noParameters = new URLSearchParams();

function valuesOf<Q extends QueryParameters>(sent: URLSearchParams, known: Q): Values<Q> {
  const values: Record<string, unknown> = {};
  for (const name in known) values[name] = readValue[known[name]!.kind](sent, name);
  // The table has made each value by its kind.
  return values as Values<Q>;
}

function unknownNames(sent: URLSearchParams, known: QueryParameters): Message[] {
  const names = new Set([...sent.keys()].filter((name) => !Object.hasOwn(known, name)));
  const shown = new Set([...names].map((name) => (mayBeShown(name) ? name : undefined)));
  return [...shown].map((name) => messages.unknownParameter(name));
}

type Kind = QueryParameter['kind'];

function faultsOf(kind: Kind, name: string, values: readonly string[]): Message[] {
  if (kind === 'list') return [];
  if (values.length > 1) return [messages.repeatedParameter(name)];
  return values.flatMap((value) => faultOf[kind](value, name) ?? []);
}

const faultOf: Record<Exclude<Kind, 'list'>, (value: string, name: string) => Message | undefined> = {
  flag: (value, name) => (/^(true|false)?$/i.test(value) ? undefined : messages.invalidFlag(value, name)),
  count: (value, name) => (/^\d+$/.test(value) ? undefined : messages.invalidCount(value, name)),
  text: () => undefined,
};

const largestCount = 0xff_ff_ff_ff;

const readValue: Record<Kind, (sent: URLSearchParams, name: string) => unknown> = {
  flag: (sent, name) => sent.has(name) && sent.get(name)?.toLowerCase() !== 'false',
  count: (sent, name) => (sent.has(name) ? Math.min(Number(sent.get(name)), largestCount) : undefined),
  text: (sent, name) => sent.get(name) ?? '',
  list: (sent, name) => [...new Set(sent.getAll(name))],
};
