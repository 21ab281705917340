import { useRef, useState } from 'preact/hooks';
import { lookUpText, type TaggedText } from '../api/objects.js';
import { undefinedOn } from '../api/registry.js';
import { type Loaded, useLoad } from '../design/load.js';
import { namePath, type ObjectName } from '../paths.js';

/** The stored objects by their paths; undefined for those that do not exist. */
export type StoredTexts = Map<string, TaggedText | undefined>;

const maxAtATime = 4;

/**
 * Looks up the objects that are missing in `stored`, a few concurrently, and adds them. After a failure it begins no
 * more lookups, and throws; what it has found remains.
 */
export async function lookUpMissing(
  names: readonly ObjectName[],
  stored: StoredTexts,
  lookUp: (name: ObjectName) => Promise<TaggedText>,
): Promise<StoredTexts> {
  const waiting = names.filter((name) => !stored.has(namePath(name)));
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      stored.set(namePath(name), await undefinedOn(lookUp(name), 404));
    }
  };
  try {
    await Promise.all(Array.from({ length: maxAtATime }, work));
  } finally {
    waiting.length = 0;
  }
  return stored;
}

/** Looks up the stored objects of some names; `refresh` looks up all of them again. */
export function useStoredTexts(names: readonly ObjectName[]): { stored: Loaded<StoredTexts>; refresh: () => void } {
  const known = useRef<StoredTexts>(new Map());
  const [round, setRound] = useState(0);
  const stored = useLoad(`${round} ${names.map(namePath).join('\n')}`, (signal) =>
    lookUpMissing(names, known.current, (name) => lookUpText(name, signal)),
  );
  const refresh = () => {
    known.current = new Map();
    setRound(round + 1);
  };
  return { stored, refresh };
}
