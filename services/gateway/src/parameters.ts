import type { Message } from '@cadastre/proto/registry';
import { Refusal } from './errors.js';
import { messages } from './messages.js';
import { isSecretName } from './secret-parameters.js';

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
  /** The values that mean something, when they can be told. */
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

/**
 * Reads a query string (without "?"); what the route does not know is passed over. Throws a Refusal (400) for more
 * than `most` parameters, for those that carry secrets (decision W8), else for all that are not of their kind, or given
 * more than once though they are no lists.
 */
export function readParameters<Q extends QueryParameters>(
  query: string,
  known: Q,
  most = Number.POSITIVE_INFINITY,
): Values<Q> {
  if (query.split('&').length > most) throw new Refusal(400, messages.tooManyParameters(most));
  const sent = new URLSearchParams(query);
  for (const name of sent.keys()) {
    if (isSecretName(name)) throw new Refusal(400, messages.secretParameter(name.toLowerCase()));
  }
  const faults = Object.entries(known).flatMap(([name, { kind }]) => faultsOf(kind, name, sent.getAll(name)));
  if (faults.length > 0) throw new Refusal(400, faults);
  const values = Object.entries(known).map(([name, { kind }]) => [name, readValue[kind](sent, name)]);
  // The table has made each value by its kind.
  return Object.fromEntries(values) as Values<Q>;
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
