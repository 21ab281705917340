import type { ObjectEntry } from '@cadastre/documents';
import type { Message } from '@cadastre/proto/registry';
import type {
  Geolocation,
  GrsSourceEntry,
  LimitList,
  ServerVersion,
  SourceEntry,
  TemplateAttribute,
  VersionList,
} from './whois-resources-schema.js';

/** The formats of responses. */
export type Format = 'xml' | 'json' | 'text';

/**
 * Writes one whois-resources document in pieces, so that long results can be streamed. Call `open` once, `object` any
 * number of times, `messages` at most once, `close` once; the joined pieces are the document.
 */
export interface Writer {
  open(head: Head): string;
  object(entry: ObjectEntry): string;
  /** The text before objects that another writer has rendered; these follow next. */
  join(): string;
  messages(list: readonly Message[]): string;
  close(tail: Tail): string;
}

/** A whois-resources document, independent of its format. Writers omit absent members. */
export interface Resource {
  readonly head: Head;
  readonly objects?: readonly ObjectEntry[];
  readonly messages?: readonly Message[];
  readonly tail?: Tail;
}

/** Members before the objects. */
export interface Head {
  /** URL of the request. */
  readonly link?: string;
  /** Name of the service. */
  readonly service?: string;
  readonly parameters?: SearchParameters;
  readonly templates?: readonly TemplateEntry[];
  readonly sources?: readonly SourceEntry[];
  readonly grsSources?: readonly GrsSourceEntry[];
  readonly geolocation?: Geolocation;
  readonly limits?: LimitList;
  /** Shows the list of objects even if it is empty. */
  readonly listsObjects?: boolean;
}

/** Members after objects and messages. */
export interface Tail {
  readonly results?: readonly ResultEntry[];
  readonly versions?: VersionList;
  /** URL of the terms and conditions. */
  readonly terms?: string;
  readonly version?: ServerVersion;
}

/** The outcome of one object of a batch. */
export interface ResultEntry {
  /** By `nameOfOutcome`. */
  readonly outcome: string;
  /** Its position among the objects of the document, from 1. */
  readonly object?: number;
  readonly messages: readonly Message[];
}

/** The parameters of a search as submitted; flags by their long names. */
export interface SearchParameters {
  readonly inverseAttributes: readonly string[];
  /** The client's own name. */
  readonly client?: string;
  readonly types: readonly string[];
  readonly flags: readonly string[];
  readonly queries: readonly string[];
  readonly sources: readonly string[];
}

export interface TemplateEntry {
  readonly type: string;
  /** Source, lower case. */
  readonly source: string;
  readonly attributes: readonly TemplateAttribute[];
  /** The template as text. */
  readonly text: string;
}

/** A time to the second, in UTC; empty for none. */
export function secondText(instant: Date | undefined): string {
  return instant === undefined ? '' : `${instant.toISOString().slice(0, 19)}Z`;
}
