import { type IndexedObject, maximalBytes } from '../index-port.js';

type Pages = AsyncIterable<readonly IndexedObject[]>;

/** Merges two results in key order, without duplicates. */
export async function* mergeByKey(left: Pages, right: Pages): AsyncGenerator<readonly IndexedObject[]> {
  const others = objectsOf(right);
  let other = await others.next();
  for await (const page of left) {
    const merged: IndexedObject[] = [];
    let characters = 0;
    for (const object of page) {
      while (!other.done && other.value.key < object.key) {
        merged.push(other.value);
        characters += other.value.text.length;
        if (merged.length === page.length || characters >= maximalBytes) {
          yield merged.splice(0);
          characters = 0;
        }
        other = await others.next();
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
