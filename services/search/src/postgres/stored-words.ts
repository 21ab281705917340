import type { ObjectTypeName } from '@cadastre/rpsl';
import { hashHalves } from '@cadastre/service/hash64';
import type { IndexDocument } from '../index-port.js';

/**
 * The stored words of a document, each as half a hash of the word and its rank. The type is among them, so that the index
 * finds a word in a rare type without reading all objects that have the word.
 */
export function storedWords({ type, words }: Pick<IndexDocument, 'type' | 'words'>): number[] {
  if (words.size === 0) return [];
  return [storedType(type), ...Array.from(words, ([word, rank]) => storedWord(word, rank))];
}

/** The stored form of a word with this rank in its object. */
export function storedWord(word: string, rank: number): number {
  return hashHalves(`${rank}${word}`).low | 0;
}

/** The stored form of a type. No word has a blank. */
export function storedType(type: ObjectTypeName): number {
  return hashHalves(`type ${type}`).low | 0;
}
