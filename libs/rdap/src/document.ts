import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Document, IpNetwork } from './documents.js';
import type { Asked, Nested, Reference, Registry, Related, Relation, Stored } from './registry.js';

/** What a document has besides its object. */
export interface Parts {
  /** Without it the document has no `entities`, as inside another document. */
  readonly related?: Related;
  /** The client asked for this very entity, so that its own e-mail addresses are shown. */
  readonly asked?: boolean;
  /** Networks: key of the nearest network that encloses it. */
  readonly parentKey?: string;
  /** Networks and domains: the relations to link; only those that answer. */
  readonly relations?: readonly Relation[];
  /** Domains: the network of its addresses. */
  readonly network?: Nested<IpNetwork>;
  /** Organisations: their outermost networks, and their AS numbers. */
  readonly networks?: readonly Stored[];
  readonly autnums?: readonly Stored[];
  /** Organisations: whether there are more networks or AS numbers than these. */
  readonly cut?: boolean;
  /** Entities: other types that have an object with this key. */
  readonly namesakes?: readonly ObjectTypeName[];
}

/** The document of an object; `undefined` for a type that RDAP does not have, and for an object whose key is none. */
export function document(
  _registry: Registry,
  _asked: Asked,
  _stored: Stored,
  _parts: Parts = {},
): Nested<Document> | undefined {
  throw new Error('Not implemented');
}

/** The document of an `inetnum` or `inet6num`, like `document`. */
export function ipNetwork(
  _registry: Registry,
  _asked: Asked,
  _stored: Stored,
  _parts: Pick<Parts, 'related' | 'parentKey' | 'relations'> = {},
): Nested<IpNetwork> | undefined {
  throw new Error('Not implemented');
}

/** The objects that the document of an object shows or names; look them up for `Related`. Bounded. */
export function referencedBy(_stored: Stored): Reference[] {
  throw new Error('Not implemented');
}

/** The key of an object in `Related.objects`: `key` in any letter case. */
export function relatedKey(type: ObjectTypeName, key: string): string {
  return `${type} ${key.toLowerCase()}`;
}
