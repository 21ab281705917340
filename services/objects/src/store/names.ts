import type { ObjectTypeName } from '@cadastre/rpsl';
import { hash64 } from '@cadastre/service/hash64';
import type { WriteKey } from '../domain/repeatable.js';
import type { HandleParts } from './handles.js';
import { referenceClass } from './references.js';

/**
 * The name of something in a source that writes read and write. A write is not stored when another one, committed since
 * it was decided, has written what it read.
 */
export type WriteName = string;

/** The names that a write, or a part of it, reads and writes. */
export interface WriteNames {
  readonly read: readonly WriteName[];
  readonly written: readonly WriteName[];
}

/** The name of all objects with this key. */
export function nameOfObject(types: readonly ObjectTypeName[], key: string): WriteName {
  return `${referenceClass(types)}:${key}`;
}

/** A tree of ranges. */
export type Space = 'ipv4' | 'ipv6' | 'as' | 'domain' | 'route' | 'route6';

/** The name of a tree of ranges. */
export function nameOfTree(space: Space): WriteName {
  return `hierarchy:${space}`;
}

/** The name of a part of a tree: the addresses whose first `length` bits are these. */
export function nameOfBlock(space: Space, family: 4 | 6, length: number, bits: bigint): WriteName {
  return `hierarchy:${space}:${family}:${length}:${bits}`;
}

/** The name of one number of a stem of handles. */
export function nameOfNumber({ kind, stem, number }: HandleParts): WriteName {
  return `handle:${kind}:${stem}:${number}`;
}

/** The name of a key with which an account may retry a write. */
export function nameOfKey({ account, key }: WriteKey): WriteName {
  return `key:${account.toString('hex')}:${key.toString('hex')}`;
}

/** Everything below a name: references to an object, ranges inside a block. */
export function below(name: WriteName): WriteName {
  return `below:${name}`;
}

/** The names in the form of the column `change.locks`; collisions only cause unnecessary refusals. */
export function namesLiteral(names: Iterable<WriteName>): string {
  return `{${[...new Set(names)].map(hash64).join()}}`;
}
