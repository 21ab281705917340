import type { LimitExceeded } from '@cadastre/limits';

/** A connection, as dialects see it. */
export interface Connection {
  /** Address of the client; an IPv4 address never in its IPv6 form. */
  readonly client: string;
  /** The network of the client, which shares turns: an IPv4 /24 or IPv6 /48. */
  readonly network: string;
  /** Aborted when the connection is closed: then the answer has no reader. */
  readonly signal: AbortSignal;
  /** Closes the connection immediately: its client reads too slowly while others need the memory. */
  giveUp(): void;
  /** Closes the connection after the present answer: this is incomplete, and says why. */
  endAfterAnswer(): void;
}

/** The state that lines of a connection share. */
export interface ConnectionState {
  /** Whether the connection stays open after the answer (`-k`, `!!`). */
  readonly staysOpen: boolean;
  readonly idle: Idle;
  /** The choices that IRRd-style commands have made. */
  readonly irrd: IrrdState;
}

/** An answer that runs until it is ended. Drops what the client sends meanwhile. */
export interface EndlessBody {
  /** Begins it. Its pieces end when `over` is aborted: the client has closed its side, or the service stops. */
  open(over: AbortSignal): AsyncIterable<Buffer>;
}

/** The answer to one line. */
export interface Answer {
  /**
   * Its bytes, possibly none. A stream makes its next piece when the client has read the one before, so that a slow
   * reader costs the memory of one piece.
   */
  readonly body: Buffer | AsyncIterable<Buffer> | EndlessBody;
  /** The state for the next line. The connection is closed after the body unless it `staysOpen`. */
  readonly state: ConnectionState;
}

/** Answers lines of one form, immediately or later. */
export type Answering<Line> = (line: Line, state: ConnectionState, connection: Connection) => Answer | Promise<Answer>;

/**
 * Answers a line, without its end. An error, also one of the body, closes the connection without another byte: clients
 * would make a filter from an incomplete answer.
 */
export type Dialect = Answering<string>;

/** The messages of the listener itself. */
export interface Notices {
  /** The line is longer than `maxBytes`. */
  lineTooLong(maxBytes: number): Buffer;
  /** The client was silent for too long. */
  idle(): Buffer;
  /** The client already has `max` connections. */
  tooManyConnections(max: number): Buffer;
  /** The client is blocked. */
  blocked(exceeded: LimitExceeded): Buffer;
}

export const nothing = Buffer.alloc(0);

/** The choices of a connection by IRRd-style commands. */
export interface IrrdState {
  /** Whether `!!` keeps the connection open. */
  readonly isOpen: boolean;
  /** Names of the sources to search, in upper case, in their order (`!s`). */
  readonly sources: readonly string[];
  /** Names of the sources of routes, of which none is an alias; undefined for those of `sources` (`!s-routes:`). */
  readonly routeSources: readonly string[] | undefined;
  /** Whether the client has chosen `sources`; then RIPE-style queries without a source search them, too. */
  readonly choseSources: boolean;
  /** Names of sets, in lower case, that are not expanded as members of others (`!e`). */
  readonly excludedSets: ReadonlySet<string>;
  /** Whether `!r` and RIPE-style queries show routes that ROAs make invalid (`!fno-rpki-filter`). */
  readonly showsInvalid: boolean;
  /** The maximum silence of the client after an IRRd-style command (`!t`). */
  readonly idle: Idle;
  /** Whether the client has named its program (`!n`). */
  readonly isNamed: boolean;
}

/** IRRd's own default; the connection is then closed silently. */
const idleMs = 30_000;

/** The state of a new connection. */
export function newIrrdState(sources: readonly string[]): IrrdState {
  return {
    isOpen: false,
    sources,
    routeSources: undefined,
    choseSources: false,
    excludedSets: new Set(),
    showsInvalid: false,
    isNamed: false,
    idle: { ms: idleMs },
  };
}

/** How long a client may be silent between two lines. */
export interface Idle {
  /** In milliseconds. */
  readonly ms: number;
  /** The message before the connection is closed; none when it is closed silently. */
  readonly farewell?: Buffer;
}
