/** A set with an element that it did not have, or without one that it had. */
export function toggled<T>(set: ReadonlySet<T>, element: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(element)) next.add(element);
  return next;
}
