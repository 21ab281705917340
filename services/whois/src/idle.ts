/** How long a client may be silent between two lines. */
export interface Idle {
  /** In milliseconds. */
  readonly ms: number;
  /** What the client gets before the connection is closed; nothing when it is closed silently. */
  readonly farewell?: Buffer;
}
