/**
 * A number that all gateways have in common. Each knows its own part for certain, and what the others had when it last
 * heard. Since each writes its own part only, and always all of it, nothing is lost or counted twice, however often and
 * late an exchange arrives (a grow-only counter).
 */
export interface Count {
  /** Its name where counts are shared. */
  readonly key: string;
  /** Names the part of this gateway among those of the same gateway: it begins a new one for a client it had forgotten. */
  readonly part: number;
  /** How the parts make a whole: added up; or the latest of several instants, in milliseconds since 1970. */
  readonly kind: 'sum' | 'latest';
  /** Milliseconds since 1970 after which it means nothing. */
  readonly expires: number;
  /** The part of this gateway; it never shrinks. */
  own: number;
  /** The parts of the others together, when last heard. */
  others: number;
}

/** A count of nothing. */
export function newCount(key: string, part: number, kind: Count['kind'], expires: number): Count {
  return { key, part, kind, expires, own: 0, others: 0 };
}

/** The whole, as far as it is known here. */
export function amountOf({ kind, own, others }: Count): number {
  return kind === 'sum' ? own + others : Math.max(own, others);
}

/** Where the parts of several gateways come together. */
export interface CountStore {
  /** Writes own parts and answers those of the others, in the same order. Rejects when the store is away. */
  exchange(parts: readonly CountPart[]): Promise<number[]>;
  /** Ends the connection. */
  close(): void;
}

/** A gateway's own part of a count; a part of 0 is not written. */
export interface CountPart extends Pick<Count, 'key' | 'part' | 'kind' | 'own'> {
  /** How long it is to be kept from now. */
  readonly lifetimeMs: number;
}
