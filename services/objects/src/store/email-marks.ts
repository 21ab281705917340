import type { EmailMark, EmailMarks } from '../domain/email-marks.js';
import type { Db } from './stored-object.js';

/** A mark of an address with its start time. */
export interface MarkedEmail {
  readonly address: string;
  readonly mark: EmailMark;
  readonly marked: Date;
}

/** The marks of these addresses (folded, without duplicates). */
export async function loadEmailMarks(db: Db, addresses: readonly string[]): Promise<EmailMarks> {
  if (addresses.length === 0) return new Map();
  const { rows } = await db.query<Pick<MarkedEmail, 'address' | 'mark'>>({
    name: 'email-marks',
    text: 'select address, mark from email_mark where address = any($1)',
    values: [addresses],
  });
  const marks = Map.groupBy(rows, ({ address }) => address);
  return new Map([...marks].map(([address, list]) => [address, new Set(list.map(({ mark }) => mark))]));
}

/** The same for several who ask: each gets the marks of all addresses. */
export async function loadEmailMarksOfAll(db: Db, requested: readonly (readonly string[])[]): Promise<EmailMarks[]> {
  const marks = await loadEmailMarks(db, [...new Set(requested.flat())]);
  return requested.map(() => marks);
}

/** Adds a mark to addresses; returns how many did not have it. */
export async function putEmailMark(db: Db, addresses: readonly string[], mark: EmailMark, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `insert into email_mark (address, mark, marked) select address, $2, $3 from unnest($1::text[]) as address
     order by address on conflict do nothing`,
    [addresses, mark, now],
  );
  return rowCount ?? 0;
}

/** Removes a mark from addresses, and what led to it; returns how many had it. */
export async function removeEmailMark(db: Db, addresses: readonly string[], mark: EmailMark): Promise<number> {
  const { rowCount } = await db.query(
    `with forgotten as (delete from undelivered where folded = any($1) and $2 = 'undeliverable')
     delete from email_mark where address = any($1) and mark = $2`,
    [addresses, mark],
  );
  return rowCount ?? 0;
}

/** The marks (one kind, or all) of at most `limit` addresses after a given one, in order. */
export async function listEmailMarks(
  db: Db,
  mark: EmailMark | undefined,
  after: string,
  limit: number,
): Promise<MarkedEmail[]> {
  const { rows } = await db.query<MarkedEmail>(
    `select address, mark, marked from email_mark
     where ($1::text is null or mark = $1) and address in (
       select address from email_mark where ($1::text is null or mark = $1) and address > $2
       group by address order by address limit $3)
     order by address, mark`,
    [mark ?? null, after, limit],
  );
  return rows;
}
