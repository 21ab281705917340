import { type IndexReads, type Loaded, type ObjectId, objectIdText } from '../index-port.js';
import { perTurn } from '../per-turn.js';

/** Bounds of the reads of a turn: the pages that ask bound the keys of each question. */
const bounds = { size: 100, callsInFlight: Number.POSITIVE_INFINITY };

/** The index whose reads by key are shared by the searches of one event-loop turn. */
export function sharedReads(index: IndexReads): IndexReads {
  const known = perTurn({ ...bounds, answer: (questions: Questions) => knownTogether(index, questions) });
  const load = perTurn({ ...bounds, answer: (questions: Questions) => loadTogether(index, questions) });
  return {
    query: (...question) => index.query(...question),
    nearestWith: (...question) => index.nearestWith(...question),
    known: async (ids) => (ids.length === 0 ? [] : known(ids)),
    load: async (ids) => (ids.length === 0 ? { objects: [], later: [] } : load(ids)),
  };
}

type Questions = readonly (readonly ObjectId[])[];

async function knownTogether(index: IndexReads, questions: Questions): Promise<boolean[][]> {
  const [only] = questions;
  if (questions.length === 1) return [await index.known(only!)];
  const ids = distinct(questions.flat());
  const isKnown = await index.known(ids);
  const known = new Set(ids.filter((_, at) => isKnown[at]).map(objectIdText));
  return questions.map((requested) => requested.map((id) => known.has(objectIdText(id))));
}

/** A question of which nothing fitted into the common read is asked alone. */
async function loadTogether(index: IndexReads, questions: Questions): Promise<Loaded[]> {
  const [only] = questions;
  if (questions.length === 1) return [await index.load(only!)];
  // Ids of one source must be adjacent.
  const ids = [...Map.groupBy(distinct(questions.flat()), ({ source }) => source).values()].flat();
  const { objects, later } = await index.load(ids);
  const found = new Map(objects.map((object) => [objectIdText(object), object]));
  const missing = new Set(later.map(objectIdText));
  return Promise.all(
    questions.map((requested) => {
      const left = requested.filter((id) => missing.has(objectIdText(id)));
      if (left.length === requested.length) return index.load(requested);
      return { objects: requested.flatMap((id) => found.get(objectIdText(id)) ?? []), later: left };
    }),
  );
}

function distinct(ids: readonly ObjectId[]): ObjectId[] {
  return [...new Map(ids.map((id) => [objectIdText(id), id])).values()];
}
