import type { Moment } from '@cadastre/proto/objects';
import { ServiceError } from '@cadastre/service';
import { HttpError } from '../errors.js';
import type { RequestHeader } from '../openapi/operation.js';
import { parameter, type Values } from '../parameters.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, RouteRequest } from '../route.js';

/** The query parameter for a moment of the past. */
export const asOfQuery = {
  'as-of': parameter.text(
    'A moment of the past: a serial, a time such as `2026-01-31T12:00:00Z`, or a date, which means its midnight UTC. It means the last change that is not later.',
    { example: '2026-01-31T12:00:00Z' },
  ),
};

/** The header for the same purpose (RFC 7089). */
export const momentHeaders: readonly RequestHeader[] = [
  {
    name: 'Accept-Datetime',
    doc: 'Requests the version of that time (RFC 7089). Before the first version it is the first one, after now the newest one.',
    schema: { type: 'string' },
  },
];

/** A moment of the past in a request. */
export interface RequestedMoment {
  readonly moment: Moment;
  /** Whether to return the nearest version when there was none. */
  readonly nearest: boolean;
}

/**
 * The moment of the past in a request: by `as-of`, else by `Accept-Datetime`. Throws an HttpError (400) for invalid
 * values.
 */
export function requestedMoment({
  query,
  headers,
}: RouteRequest<PathParameters, typeof asOfQuery>): RequestedMoment | undefined {
  const moment = asOfOf(query);
  if (moment !== undefined) return { moment, nearest: false };
  const datetime = headers['accept-datetime'];
  return datetime === undefined ? undefined : { moment: datetimeOf(String(datetime)), nearest: true };
}

const largestSerial = 2n ** 63n - 1n;
const instant = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d(?:\.\d{1,9})?)([Zz]|[+ -]\d\d:\d\d))?$/;

/** The moment of the parameter `as-of`; absent without the parameter. Throws an HttpError (400) for invalid values. */
export function asOfOf({ 'as-of': value }: Values<typeof asOfQuery>): Moment | undefined {
  if (value === '') return undefined;
  if (/^\d{1,19}$/.test(value) && BigInt(value) <= largestSerial) {
    return { point: { $case: 'serial', value: BigInt(value) } };
  }
  const [, day, time = '00:00:00', offset = 'Z'] = instant.exec(value) ?? [];
  // An unencoded plus sign arrives as a space.
  const date = new Date(`${day}T${time}${offset.replace(' ', '+').toUpperCase()}`);
  if (!isDate(date, day)) {
    const expected = 'a serial, a date or a time such as 2026-01-31T12:00:00Z';
    throw new HttpError(400, messages.invalidValue(value, 'as-of', expected));
  }
  return { point: { $case: 'instant', value: date } };
}

/** Whether the time is valid, and the calendar has the day. */
function isDate(date: Date, day: string | undefined): boolean {
  return !Number.isNaN(date.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(String(day));
}

/** RFC 9110 section 5.6.7, the only form that senders may use. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

function datetimeOf(value: string): Moment {
  const date = new Date(httpDate.test(value) ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new HttpError(400, messages.invalidDatetime(value));
  return { point: { $case: 'instant', value: date } };
}

/** The answer for a moment, or for the present without one. Throws an HttpError (410) for a moment that is forgotten. */
export async function ofThePast<A>(asOf: Moment | undefined, requested: Promise<A>): Promise<A> {
  if (asOf === undefined) return requested;
  return requested.catch((error: unknown) => {
    const isForgotten = error instanceof ServiceError && error.kind === 'out-of-range';
    throw isForgotten ? new HttpError(410, error.messages) : error;
  });
}
