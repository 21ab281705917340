import { setImmediate } from 'node:timers/promises';
import { smallCharacters } from './text-tasks.js';

/** Waits until work on this number of characters may begin; undefined if it may begin immediately. */
export type Slice = (characters: number) => Promise<void> | undefined;

/**
 * Cuts work on texts into slices of 32 KiB of text or one larger text. Each slice begins in another turn of the event
 * loop, so that other work runs between them. Work that waits for the same slice runs in the same turn.
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
