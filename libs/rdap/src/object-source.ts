import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Stored, StoredText } from './registry.js';

/** The object with a type and a key: immediately if it is in memory; undefined when there is none. */
export type FindObject = (type: ObjectTypeName, key: string) => Stored | undefined | Promise<Stored | undefined>;

/** The name of an object. */
export interface TypeAndKey {
  readonly type: ObjectTypeName;
  readonly key: string;
}

/** The keys of the resources of an organisation. */
export interface HeldKeys {
  readonly inet6nums: readonly string[];
  readonly inetnums: readonly string[];
  readonly autNums: readonly string[];
}

/** Where the objects of documents come from. Its promises reject when a document cannot be made without the answer. */
export interface ObjectSource {
  readonly find: FindObject;
  /** The first ones of these objects, as many as an answer has room for, without those that do not exist. */
  readonly findPage: (
    names: readonly TypeAndKey[],
  ) => Promise<{ readonly objects: readonly StoredText[]; readonly isWhole: boolean }>;
  /** The nearest network around a network. */
  readonly parentOf: (key: string) => Promise<{ readonly key: string } | undefined>;
  /** The network of a range of addresses, or the smallest that contains it, and the nearest one around that. */
  readonly networksAround: (range: string) => Promise<readonly StoredText[]>;
  /**
   * The role that is the abuse contact of a network or an aut-num, found by `find`; undefined while it cannot be known.
   * `parentKey`: of the nearest network around it, null without one, undefined if it is not known.
   */
  readonly abuseContactOf: (
    resource: Stored,
    parentKey: string | null | undefined,
    find: FindObject,
  ) => Promise<{ readonly role: Stored | undefined } | undefined>;
  /** At most `limit` resources of each kind of an organisation; undefined while they cannot be known. */
  readonly holdingsOf: (organisation: Stored, limit: number) => Promise<HeldKeys | undefined>;
  /** Waits until work on this number of characters may begin; undefined if it may begin immediately. */
  readonly slice: (characters: number) => Promise<void> | undefined;
}
