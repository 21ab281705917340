import { queryMessages } from '@cadastre/query';
import { ownMirrorName } from '@cadastre/rpsl';
import { type AnswerMemory, type ExpansionPlaces, type LoopTurns, ServiceError } from '@cadastre/service';
import type { Selection } from '../sets/expansion.js';
import type { FindConflict } from '../sets/invalid-routes.js';
import type { SetIndex } from '../sets/set-index.js';
import { pausing } from '../turns.js';

/** The dependencies of the handlers of sets. */
export interface SetHandlersOptions {
  readonly index: SetIndex;
  readonly memory: AnswerMemory;
  readonly places: ExpansionPlaces;
  readonly turns: LoopTurns;
  /** Maximum members of all sets of an expansion. */
  readonly maxMembers: number;
  /** Finds the ROAs that make routes invalid. */
  readonly findConflict: FindConflict;
}

interface SelectionRequest {
  readonly sources: readonly string[];
  readonly client: string;
  readonly excludedSets?: readonly string[];
}

/** The parameters of a request for the index. Throws a ServiceError (invalid) for an unknown source. */
export function selectionOf(
  { index, turns, maxMembers }: SetHandlersOptions,
  { sources, client, excludedSets = [] }: SelectionRequest,
  signal: AbortSignal,
): Selection & { readonly index: SetIndex } {
  const names = sources.length === 0 ? index.names.slice(0, 1) : sources.flatMap((name) => namedIn(index, name));
  // Each once, so that there are no more than the index has.
  return {
    index,
    sources: [...new Set(names)],
    excluded: new Set(excludedSets.map((name) => name.toLowerCase())),
    maxMembers,
    pause: pausing(turns, client, signal),
  };
}

/** The sources with a name, which may be an alias. */
function namedIn(index: SetIndex, requested: string): readonly string[] {
  return index.resolve([requested]).map((name) => sourceIn(index, name, requested));
}

function sourceIn({ names, selectable }: SetIndex, name: string, requested: string): string {
  if (selectable.includes(name)) return name;
  const main = names[0]!;
  if (name === ownMirrorName(main)) return main;
  throw new ServiceError('invalid', [queryMessages.invalidSource(requested)]);
}
