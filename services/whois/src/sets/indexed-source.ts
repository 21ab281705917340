import { nonAuthoritativeName } from '@cadastre/rpsl';
import { foreignTo } from '../context.js';
import type { Refusal, SourceBudget } from './index-budget.js';
import { createSourceIndex, type IndexedObject, type IsHidden, type SourceIndex } from './source-index.js';

/** The indexes of a source: of its own, and of the non-authoritative part of the main one. */
export interface IndexedSource {
  /** By names of sources, in upper case. */
  readonly parts: ReadonlyMap<string, SourceIndex>;
  /** Like `SourceIndex.put`. */
  put(object: IndexedObject): Refusal | undefined;
  remove(type: string, key: string): void;
  /** Number of its sets and routes. */
  size(): number;
}

/** Makes the empty index of the main source, or of a mirror. `isHidden`: which routes the part with a name hides. */
export function createIndexedSource(
  name: string,
  isMain: boolean,
  isHidden: (part: string) => IsHidden,
  budget: SourceBudget,
): IndexedSource {
  const own = createSourceIndex(isHidden(name), budget);
  const sizeOf = ({ sets, routes, hidden }: SourceIndex) => sets + routes.size + hidden.size;
  if (!isMain) return { ...own, parts: new Map([[name, own]]), size: () => sizeOf(own) };
  const foreignName = nonAuthoritativeName(name);
  const foreign = createSourceIndex(isHidden(foreignName), budget);
  const isForeign = foreignTo(name);
  return {
    parts: new Map([
      [name, own],
      [foreignName, foreign],
    ]),
    put(object) {
      const [index, other] = isForeign(object.text) ? [foreign, own] : [own, foreign];
      other.remove(object.type, object.key);
      return index.put(object);
    },
    remove(type, key) {
      own.remove(type, key);
      foreign.remove(type, key);
    },
    size: () => sizeOf(own) + sizeOf(foreign),
  };
}
