import type { Requested } from './asked.js';
import type { Sent } from './send.js';

/** The sender of a request. */
export type Sender = 'anonymous' | 'maintainer';

/** The expected response: a success, a refusal (4xx), a certain status, or any of the first two. */
export type Outcome = 'taken' | 'refused' | 'answered' | number;

/** A request that a client may send, and its maximum cost. */
export interface Row {
  /** Method and path of the operation, as the description of the interface has them; else its name. */
  readonly operation: string;
  /** Media type of the body, if there is one. */
  readonly mediaType?: string | undefined;
  readonly sender: Sender;
  readonly what: string;
  readonly outcome: Outcome;
  /** The requests, sent one after the other. */
  readonly sends: () => readonly (Sent | Requested)[];
  readonly budget: Budget;
}

/** CPU time in milliseconds of the reference machine (see cpu.ts). */
export interface Budget {
  /** Of one service's main thread, which delays others. */
  readonly held: number;
  /** Of all threads of all processes, including the database. */
  readonly spent: number;
}

/** For requests that are refused by size or shape, and for reads. */
export const small: Budget = { held: 40, spent: 150 };
/** For a body that is parsed; long ones are parsed in pieces, so that other work runs between. */
export const parsed: Budget = { held: 100, spent: 700 };
/** For keys: a library reads them on a separate thread. */
export const keys: Budget = { held: 60, spent: 1200 };
/** For the largest objects that a maintainer may write: validated, compared, rendered. */
export const large: Budget = { held: 150, spent: 700 };

/** For ten thousand resources: the answers are made in batches, so that other work runs between. */
export const bulk: Budget = { held: 60, spent: 3000 };

type More = Partial<Pick<Row, 'outcome' | 'budget' | 'mediaType'>>;

/** For the maximum number of objects in one text, each a separate write. */
export const hundred: Budget = { held: 200, spent: 1200 };

/** Makes rows of one operation. */
export function rowsOf(operation: string, sender: Sender, defaults: More = {}) {
  return (what: string, sends: () => Sent | readonly Sent[], more: More = {}): Row => ({
    operation,
    sender,
    what,
    outcome: 'answered',
    budget: small,
    ...defaults,
    ...more,
    sends: () => [sends()].flat(),
  });
}
