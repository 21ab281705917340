import type { Idle } from '../idle.js';

/** The choices of a connection by IRRd-style commands. */
export interface IrrdState {
  /** Whether `!!` keeps the connection open. */
  readonly isOpen: boolean;
  /** Names of the sources to search, in upper case, in their order (`!s`). */
  readonly sources: readonly string[];
  /** Whether the client has chosen them; then RIPE-style queries without a source search them, too. */
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
    choseSources: false,
    excludedSets: new Set(),
    showsInvalid: false,
    isNamed: false,
    idle: { ms: idleMs },
  };
}
