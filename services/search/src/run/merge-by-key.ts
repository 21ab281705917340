import type { IndexedObject } from '../index-port.js';

type Pages = AsyncIterable<readonly IndexedObject[]>;

/** Two results in the order of their keys as one, without repetitions. */
export async function* mergeByKey(left: Pages, right: Pages): AsyncGenerator<readonly IndexedObject[]> {
  const others = objectsOf(right);
  let other = await others.next();
  for await (const page of left) {
    const merged: IndexedObject[] = [];
    for (const object of page) {
      while (!other.done && other.value.key < object.key) {
        merged.push(other.value);
        other = await others.next();
        if (merged.length === page.length) yield merged.splice(0);
      }
      if (!other.done && other.value.key === object.key) other = await others.next();
      merged.push(object);
    }
    if (merged.length > 0) yield merged;
  }
  for (; !other.done; other = await others.next()) yield [other.value];
}

async function* objectsOf(pages: Pages): AsyncGenerator<IndexedObject> {
  for await (const page of pages) yield* page;
}
