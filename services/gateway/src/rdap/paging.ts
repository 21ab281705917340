import type { RequestedPage } from '@cadastre/rdap';
import { HttpError } from '../errors.js';
import { cursorBytes, parameter } from '../parameters.js';
import { messages } from '../ripe-messages.js';

/** The parameters of RFC 8977. */
export const pagingQuery = {
  cursor: parameter.text('Where to start: from the link `next` of the previous response.'),
  count: parameter.text('With `true` all results are counted, unless there are too many.', { example: 'true' }),
};

/** The values of these parameters. */
type Paging = Readonly<Partial<Record<string, string>>>;

/** Whether a request needs the number of all results. */
export function wantsTotal({ count }: Paging): boolean {
  return count === 'true';
}

/** The page that a request needs. Throws an HttpError (400). */
export function requestedPage({ cursor: sent = '' }: Paging): RequestedPage {
  if (sent === '') return { number: 1, cursor: Buffer.alloc(0) };
  const [, number, cursor] = /^([1-9]\d{0,8})\.(.+)$/.exec(sent) ?? [];
  if (number === undefined) throw new HttpError(400, messages.invalidCursor());
  return { number: Number(number), cursor: cursorBytes(cursor!) };
}
