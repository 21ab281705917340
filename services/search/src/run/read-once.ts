import { type IndexedObject, type IndexReads, objectIdText } from '../index-port.js';
import { mapped } from './pages.js';

/** Maximum number of keys to remember. */
const maxKeys = 10_000;

/** The index for one search: until the next page of matches, it does not request loaded keys again. */
export function readOnce(index: IndexReads): IndexReads {
  /** Whether the object exists. */
  const loaded = new Map<string, boolean>();
  const forget = (page: readonly IndexedObject[]) => {
    loaded.clear();
    return page;
  };
  return {
    ...index,
    async query(...question) {
      const matches = await index.query(...question);
      return matches && { ...matches, pages: mapped(matches.pages, forget) };
    },
    async load(ids) {
      const answer = await index.load(ids);
      if (loaded.size > maxKeys) loaded.clear();
      for (const id of ids) loaded.set(objectIdText(id), false);
      for (const object of answer.objects) loaded.set(objectIdText(object), true);
      for (const id of answer.later) loaded.delete(objectIdText(id));
      return answer;
    },
    async known(ids) {
      if (loaded.size === 0) return index.known(ids);
      const answers = ids.map((id) => loaded.get(objectIdText(id)));
      const others = (await index.known(ids.filter((_, at) => answers[at] === undefined))).values();
      return answers.map((answer) => answer ?? others.next().value!);
    },
  };
}
