import type { ObjectEntry } from '@cadastre/documents';
import { MirrorState, OriginKind } from '@cadastre/proto/mirror';
import { WriteOutcome } from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';

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

/** The names of outcomes in responses. */
export const outcomeNames = {
  [WriteOutcome.WRITE_OUTCOME_CREATED]: 'created',
  [WriteOutcome.WRITE_OUTCOME_MODIFIED]: 'modified',
  [WriteOutcome.WRITE_OUTCOME_DELETED]: 'deleted',
  [WriteOutcome.WRITE_OUTCOME_UNCHANGED]: 'unchanged',
  [WriteOutcome.WRITE_OUTCOME_INVALID]: 'invalid',
  [WriteOutcome.WRITE_OUTCOME_UNAUTHORISED]: 'unauthorised',
  [WriteOutcome.WRITE_OUTCOME_STALE]: 'stale',
  [WriteOutcome.WRITE_OUTCOME_EXISTS]: 'exists',
  [WriteOutcome.WRITE_OUTCOME_REFERENCED]: 'referenced',
  [WriteOutcome.WRITE_OUTCOME_NOT_FOUND]: 'not-found',
  [WriteOutcome.WRITE_OUTCOME_DAY_QUOTA]: 'day-quota',
  [WriteOutcome.WRITE_OUTCOME_MNTNER_QUOTA]: 'mntner-quota',
  [WriteOutcome.WRITE_OUTCOME_SKIPPED]: 'skipped',
} as const satisfies { readonly [O in WriteOutcome]?: string };

/** The name of an outcome; an unknown one, from a newer objects service, is a refusal. */
export function nameOfOutcome(outcome: WriteOutcome): string {
  return outcome in outcomeNames ? outcomeNames[outcome as keyof typeof outcomeNames] : 'invalid';
}

/** The outcome of one object of a batch. */
export interface ResultEntry {
  /** One of `outcomeNames`. */
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

/** The location of a resource, from its objects. */
export interface Geolocation {
  readonly location?: GeoEntry;
  readonly languages: readonly GeoEntry[];
  readonly geofeed?: GeoEntry;
}

/** A value and the URL of its object. */
export interface GeoEntry {
  readonly value: string;
  readonly href: string;
}

/** The limits of a client and their use. */
export interface LimitList {
  /** Address, or name of the account. */
  readonly client: string;
  readonly entries: readonly LimitEntry[];
}

export interface LimitEntry {
  readonly name: string;
  readonly most: number;
  readonly used: number;
  readonly remaining: number;
  /** Length of the window; absent for a limit on concurrency. */
  readonly seconds?: number;
  /** yyyy-MM-ddTHH:mm:ssZ when the window ends. */
  readonly resets?: string;
}

export interface SourceEntry {
  /** Upper case. */
  readonly name: string;
  /** Lower case. */
  readonly id: string;
}

/** A mirrored source; it has the members after `id` when a service updates it. */
export interface GrsSourceEntry extends SourceEntry {
  /** One of `originKinds`. */
  readonly kind?: string;
  /** The address of its origin. */
  readonly origin?: string;
  /** One of `mirrorStates`. */
  readonly state?: string;
  /** yyyy-MM-ddTHH:mm:ssZ when the service last confirmed that it is up to date. */
  readonly checked?: string;
  /** yyyy-MM-ddTHH:mm:ssZ when its objects last changed. */
  readonly changed?: string;
}

/** The names of the kinds of origins of mirrored sources. */
export const originKinds = {
  [OriginKind.ORIGIN_KIND_NRTM4]: 'nrtm4',
  [OriginKind.ORIGIN_KIND_NRTM3]: 'nrtm3',
  [OriginKind.ORIGIN_KIND_DUMP]: 'dump',
} as const satisfies { readonly [K in OriginKind]?: string };

/** The names of the states of mirrored sources. */
export const mirrorStates = {
  [MirrorState.MIRROR_STATE_LOADING]: 'loading',
  [MirrorState.MIRROR_STATE_CURRENT]: 'current',
  [MirrorState.MIRROR_STATE_STALE]: 'stale',
  [MirrorState.MIRROR_STATE_REFUSED]: 'refused',
} as const satisfies { readonly [S in MirrorState]?: string };

export interface TemplateEntry {
  readonly type: string;
  /** Source, lower case. */
  readonly source: string;
  readonly attributes: readonly TemplateAttribute[];
  /** The template as text. */
  readonly text: string;
}

interface TemplateAttribute {
  readonly name: string;
  readonly requirement: string;
  readonly cardinality: string;
  readonly keys: readonly string[];
}

export interface VersionList {
  readonly type: string;
  /** As in the path. */
  readonly key: string;
  readonly versions: readonly VersionEntry[];
}

export interface VersionEntry {
  readonly revision: number;
  /** yyyy-MM-ddTHH:mm:ssZ */
  readonly date: string;
  /** "ADD/UPD" or "DEL". */
  readonly operation: string;
  /** Of a deletion, if there is a reason. */
  readonly reason?: string;
}

/** The version of this software. */
export interface ServerVersion {
  readonly version: string;
  readonly timestamp?: string;
  readonly commitId?: string;
}

/** A time to the second, in UTC; empty for none. */
export function secondText(instant: Date | undefined): string {
  return instant === undefined ? '' : `${instant.toISOString().slice(0, 19)}Z`;
}
