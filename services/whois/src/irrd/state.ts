/** What a connection has chosen by IRRd-style commands. */
export interface IrrdState {
  /** Whether the connection was kept open by `!!`. */
  readonly isOpen: boolean;
  /** Names of the sources to search, in upper case, the first one first (`!s`). */
  readonly sources: readonly string[];
  /** Names of sets, in lower case, that are not expanded as members of others (`!e`). */
  readonly excludedSets: ReadonlySet<string>;
  /** Whether `!r` and RIPE-style queries show routes that ROAs make invalid (`!fno-rpki-filter`). */
  readonly showsInvalid: boolean;
  /** How long the client may be silent, in milliseconds, once it has said so (`!t`). */
  readonly idleMs?: number;
  /** The name of the client's program (`!n`). */
  readonly agent?: string;
}
