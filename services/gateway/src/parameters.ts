import { Refusal } from './errors.js';
import { messages } from './messages.js';

/** Query parameters by name. */
export type Parameters = URLSearchParams;

const none = new URLSearchParams();
const secretNames: ReadonlySet<string> = new Set(['password', 'override']);

/**
 * Reads a query string (without "?"). Throws a Refusal (400) for parameters that carry secrets (decision W8), and for
 * more than `most`.
 */
export function readParameters(query: string, most = Number.POSITIVE_INFINITY): Parameters {
  if (query === '') return none;
  if (query.split('&').length > most) throw new Refusal(400, messages.tooManyParameters(most));
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (isSecretName(name)) throw new Refusal(400, messages.secretParameter(name.toLowerCase()));
  }
  return parameters;
}

/** The value of a parameter; `undefined` when it is not given. Given more than once, it is refused (400). */
export function textOf(parameters: Parameters, name: string): string | undefined {
  const [value, ...more] = parameters.getAll(name);
  if (more.length > 0) throw new Refusal(400, messages.repeatedParameter(name));
  return value;
}

/**
 * Whether a flag is set: bare, empty or "true" is on, "false" is off, anything else is refused, so that a mistyped
 * dry run never writes (decision W7).
 */
export function flagOf(parameters: Parameters, name: string): boolean {
  const value = textOf(parameters, name);
  if (value === undefined) return false;
  const folded = value.toLowerCase();
  if (folded !== '' && folded !== 'true' && folded !== 'false') {
    throw new Refusal(400, messages.invalidFlag(value, name));
  }
  return folded !== 'false';
}

const largestCount = 0xff_ff_ff_ff;

/** A number of objects; `undefined` when it is not given. Anything but a whole number from 0 is refused (R7). */
export function countOf(parameters: Parameters, name: string): number | undefined {
  const value = textOf(parameters, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new Refusal(400, messages.invalidCount(value, name));
  return Math.min(Number(value), largestCount);
}

/** The values of a parameter as sent, each once; empty ones say nothing. */
export function valuesOf(parameters: Parameters, name: string): string[] {
  return [...new Set(parameters.getAll(name))].filter((value) => value !== '');
}

/** The query string without the parameters that carry secrets, for links. */
export function publicQuery(query: string): string {
  return query
    .split('&')
    .filter((part) => ![...new URLSearchParams(part).keys()].some(isSecretName))
    .join('&');
}

/** Whether a parameter of this name carries a secret. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}
