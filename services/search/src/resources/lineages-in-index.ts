import { type Find, type Lineage, parseResource, type Registered } from '@cadastre/rpsl';
import type { Turns } from '@cadastre/service';
import type { ReadState } from '../index-port.js';
import { resourceRange } from '../ranges.js';
import type { IsCurrent } from './current-index.js';
import { type DecidingObjects, decidingObjects } from './deciding-objects.js';
import type { Resource } from './resource.js';

/** The lineages of resources, undefined for unregistered ones, and the objects that they refer to. */
export interface FoundLineages {
  readonly lineages: readonly (Lineage | undefined)[];
  readonly find: Find;
}

/** The state that an answer must show at least, and the client whose turn it takes. */
export interface Reading {
  readonly minSerial: bigint;
  readonly client: string;
}

/** Finds lineages of the main source; undefined where its index is not current, and where it would read too much. */
export type FindLineages = (
  resources: readonly Resource[],
  reading: Reading,
  signal: AbortSignal,
) => Promise<FoundLineages | undefined>;

/** Finds lineages in an index of this process. All for a request are one turn. */
export function lineagesInIndex(
  readState: ReadState,
  isCurrent: IsCurrent,
  turns: Turns,
  source: string,
): FindLineages {
  return (resources, { minSerial, client }, signal) =>
    turns.of(client, signal).read(async () => {
      if (!(await isCurrent(minSerial))) return undefined;
      return readState(source, (reads) => {
        const deciding = decidingObjects(reads);
        const lineages: (Lineage | undefined)[] = [];
        for (const resource of resources) {
          const registered = registeredFor(resource, source, deciding);
          if (registered === undefined) return undefined;
          const [first, ...enclosing] = registered;
          lineages.push(first && [first, ...enclosing]);
        }
        const isWhole = deciding.loadNamed(lineages.flatMap((lineage) => lineage ?? []));
        return isWhole ? { lineages, find: deciding.find } : undefined;
      });
    });
}

function registeredFor({ type, text }: Resource, source: string, deciding: DecidingObjects): Registered[] | undefined {
  if (type === 'aut-num') return deciding.named({ source, type, key: text });
  return deciding.enclosing(type, resourceRange(parseResource(text)!));
}
