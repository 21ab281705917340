import { type RpslObject, referencesOf } from '@cadastre/rpsl';
import type { Update } from './update-message.js';

/** Keys that were made up, by the placeholder ("auto-1") that stood for each in the text. */
export type MadeKeys = ReadonlyMap<string, string>;

/** Updates that must be written together, because a placeholder for a key to come stands in all of them; in their order. */
export function groupsOf(updates: readonly Update[]): Update[][] {
  const groups: { updates: Update[]; placeholders: Set<string> }[] = [];
  for (const update of updates) {
    const placeholders = placeholdersIn(update);
    const related = groups.filter((group) => [...placeholders].some((one) => group.placeholders.has(one)));
    const [first, ...others] = related;
    if (first === undefined) {
      groups.push({ updates: [update], placeholders });
      continue;
    }
    for (const other of others) groups.splice(groups.indexOf(other), 1);
    first.updates = [...related.flatMap((group) => group.updates), update];
    first.placeholders = new Set([...related.flatMap((group) => [...group.placeholders]), ...placeholders]);
  }
  return groups.map((group) => group.updates);
}

/** The placeholder that an update brings instead of a key. */
export function ownPlaceholder({ key, deletions }: Update): string | undefined {
  return key === undefined || deletions.length > 0 ? undefined : placeholderOf(key.shown);
}

/** The update with keys where it refers to placeholders. */
export function withKeys(update: Update, made: MadeKeys): Update {
  const attributes = [...update.object.attributes];
  for (const { attributeIndex, value } of referencesOf(update.object)) {
    const key = made.get(placeholderOf(value) ?? '');
    const { name, raw } = attributes[attributeIndex]!;
    if (key !== undefined) attributes[attributeIndex] = { name, raw: raw.replace(value, key) };
  }
  return { ...update, object: { type: update.object.type, attributes } };
}

function placeholdersIn(update: Update): Set<string> {
  if (update.deletions.length > 0) return new Set();
  const values = [ownPlaceholder(update), ...referencedPlaceholders(update.object)];
  return new Set(values.filter((value) => value !== undefined));
}

function referencedPlaceholders(object: RpslObject): (string | undefined)[] {
  return referencesOf(object).map(({ value }) => placeholderOf(value));
}

/** "AUTO-1" with or without the initials that are wished for. */
function placeholderOf(value: string): string | undefined {
  return /^(auto-\d+)[a-z]*$/i.exec(value)?.[1]?.toLowerCase();
}
