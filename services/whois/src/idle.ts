/** How long a client may be silent between two lines. */
export interface Idle {
  /** In milliseconds. */
  readonly ms: number;
  /** The message before the connection is closed; none when it is closed silently. */
  readonly farewell?: Buffer;
}
