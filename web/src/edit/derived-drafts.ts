import { diffLines, isHiddenFromVersions, objectType } from '@cadastre/rpsl';
import { attributesOf, type Draft, newDraft, textOfAttributes, useOf, type Written } from './draft.js';
import { asDraft } from './object-text.js';

/**
 * A new object with the attributes of another one (RPSL), but without its key, without generated attributes and without
 * what its reader may not see. Known values replace those of the key and of `source`. Without a text, it is a new
 * object with the known values.
 */
export function draftLike(type: string, text: string, known: Readonly<Record<string, string>>): Draft {
  const draft = asDraft(text);
  if (draft === undefined) return newDraft(type, known);
  // The origin of a route is part of its key, but another prefix suffices for another route.
  const replaced = ['source', ...(objectType(type)?.keyAttributes ?? [])].filter((name) => name !== 'origin');
  const rows = draft.rows
    .filter((row) => !isGenerated(draft, row.name) && (row.name === 'source' || !mask.test(row.value)))
    .map((row) => {
      if (!replaced.includes(row.name)) return row;
      const value = known[row.name];
      return { ...row, value: value ?? '', offered: value === undefined };
    });
  return { ...draft, rows };
}

/**
 * An object with the attributes of one of its versions (RPSL). What versions omit, and what the registry generates,
 * comes from the current state, at its place there; for a deleted object (an empty text) it is missing. Returns
 * undefined for a text that is not an object.
 */
export function restoredDraft(version: string, current: string): Draft | undefined {
  const earlier = asDraft(version);
  if (earlier === undefined) return undefined;
  const isCurrent = (name: string) => name === 'source' || isHiddenFromVersions(name) || isGenerated(earlier, name);
  const stored = asDraft(current);
  const attributes = stored
    ? withCurrent(attributesOf(stored), attributesOf(earlier), isCurrent)
    : attributesOf(earlier).filter(({ name }) => !isGenerated(earlier, name));
  return asDraft(textOfAttributes(earlier.type, stored ? attributes : attributes.map(withoutMask)));
}

/** The earlier attributes, and the current ones of the stored state, in the order of the stored ones. */
function withCurrent(
  stored: readonly Written[],
  earlier: readonly Written[],
  isCurrent: (name: string) => boolean,
): readonly Written[] {
  const linesOf = (attributes: readonly Written[]) =>
    attributes
      .filter(({ name }) => !isCurrent(name))
      .map((attribute) => JSON.stringify(attribute))
      .join('\n');
  const rest = [...stored];
  const shiftCurrent = () =>
    rest.splice(
      0,
      rest.findIndex(({ name }) => !isCurrent(name)),
    );
  const steps = diffLines(linesOf(stored), linesOf(earlier));
  const restored = steps.flatMap(({ kind, text }) => {
    const own = kind === 'removed' ? [] : [JSON.parse(text) as Written];
    if (kind === 'added') return own;
    const before = shiftCurrent();
    rest.shift();
    return [...before, ...own];
  });
  return [...restored, ...rest];
}

function isGenerated(draft: Draft, name: string): boolean {
  return useOf(draft, name)?.requirement === 'generated';
}

/** The comment of values that the registry masks, and of the source of filtered objects. */
const mask = /\s*# Filtered$/;

function withoutMask({ name, value }: Written): Written {
  return { name, value: value.replace(mask, '') };
}
