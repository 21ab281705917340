import { type ObjectTypeName, parseObject, type RpslObject } from '@cadastre/rpsl';
import type { Jcard, Notice, Redacted } from './documents.js';
import type { RdapPolicy } from './policy.js';

/**
 * An object as stored, parsed once. It must have its `e-mail` attributes, because a document lists what it withholds;
 * only the document of the requested entity shows them. No document shows `auth` or the addresses of notifications.
 */
export interface Stored {
  /** Name of its source as configured, in upper case. */
  readonly source: string;
  /** Primary key as shown. */
  readonly key: string;
  readonly object: RpslObject;
  /** How documents show it as a contact (`contactCard`), if cached. */
  readonly card?: ContactCard;
}

/** How documents show an entity as a contact. */
export interface ContactCard {
  readonly vcardArray: Jcard;
  /** Whether it has e-mail addresses, which documents withhold. */
  readonly withholdsEmail: boolean;
  /** Length of the jCard as JSON. */
  readonly characters: number;
}

/** What documents contain about this registry. */
export interface Registry {
  /** The base URL of RDAP: "https://r.example/rdap", without a final slash. */
  readonly base: string;
  /** The base URL of the REST interface: "https://r.example". */
  readonly restBase: string;
  readonly termsUrl?: string;
  /** Where to report wrong data. */
  readonly inaccuracyUrl?: string;
  /** Host name of the whois service. */
  readonly port43?: string;
  /** More notices of the operator, for every answer. */
  readonly notices?: readonly Notice[];
  readonly policy: RdapPolicy;
}

/** The request of an answer. */
export interface Requested {
  /** The absolute URL, which links have as their `value`. */
  readonly url: string;
}

/** What a document shows of other objects. */
export interface Related {
  /** The objects that it refers to (`referencedBy`), by `relatedKey`. One map may serve many documents. */
  readonly objects: ReadonlyMap<string, Stored>;
  /** The role that is its abuse contact. */
  readonly abuse?: Stored;
  /** Those of the objects of which the document shows only handle and link. */
  readonly withheld?: ReadonlySet<Stored>;
}

/** An object that a document refers to. */
export interface Reference {
  /** Its possible types; the first that exists counts. */
  readonly types: readonly ObjectTypeName[];
  /** Its folded key. */
  readonly key: string;
}

/** The relations of RFC 9910, as links name them. */
export type Relation =
  | 'rdap-up'
  | 'rdap-up rdap-active'
  | 'rdap-down'
  | 'rdap-top'
  | 'rdap-top rdap-active'
  | 'rdap-bottom';

/** A document as a part of an answer, with what only the top of the answer contains. */
export interface Nested<D> {
  readonly document: D;
  /** What it withholds; paths start at the document. */
  readonly redacted: readonly Redacted[];
  /** Whether it lacks attributes that the registry shows only on request. */
  readonly filtered: boolean;
  /** The names of its sources as shown. */
  readonly sources: readonly string[];
  readonly notices: readonly Notice[];
}

/** An object as the registry has it. */
export interface StoredText {
  readonly source: string;
  readonly key: string;
  readonly text: string;
}

/** An object parsed; undefined when its text does not parse. */
export function storedOf({ source, key, text }: StoredText): Stored | undefined {
  const parsed = parseObject(text);
  return parsed.ok ? { source, key, object: parsed.object } : undefined;
}
