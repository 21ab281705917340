import { setImmediate } from 'node:timers/promises';
import { smallCharacters } from './text-tasks.js';

/** Waits before so many characters of text are worked on; undefined when that may begin. */
export type Slice = (characters: number) => Promise<void> | undefined;

/**
 * Cuts work on texts into slices of 32 KiB of text or one larger text. Each begins with another turn of the event loop,
 * so that others get theirs between them. Work that waits for the same slice runs in the same turn.
 */
export function createSlices(turn: () => Promise<unknown> = setImmediate): Slice {
  let slice: Promise<unknown> | undefined;
  let left = smallCharacters;
  return (characters) => {
    if (characters > left && left < smallCharacters) {
      slice = slice === undefined ? turn() : slice.then(turn);
      left = smallCharacters;
    }
    left -= characters;
    return slice as Promise<void> | undefined;
  };
}
