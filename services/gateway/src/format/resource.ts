import type { Message, Tag } from '@cadastre/proto/registry';

/** The one model of an answer's body; every writer shows it in its format. What is absent is not shown. */
export interface Resource {
  readonly head: Head;
  readonly objects?: readonly ObjectEntry[];
  readonly messages?: readonly Message[];
  readonly tail?: Tail;
}

/** What comes before the objects. */
export interface Head {
  /** URL of the request. */
  readonly link?: string;
  /** Name of the service that answers. */
  readonly service?: string;
  /** What a search was asked for. */
  readonly parameters?: SearchParameters;
  readonly templates?: readonly TemplateEntry[];
  readonly sources?: readonly SourceEntry[];
  readonly grsSources?: readonly SourceEntry[];
  readonly geolocation?: Geolocation;
  readonly limits?: LimitList;
  /** The list of objects is shown even if it is empty. */
  readonly listsObjects?: boolean;
}

/** What comes after objects and messages. */
export interface Tail {
  readonly versions?: VersionList;
  /** URL of the terms and conditions. */
  readonly terms?: string;
  readonly version?: ServerVersion;
}

export interface ObjectEntry {
  /** Long name, lower case. */
  readonly type: string;
  readonly link: string;
  /** Source, lower case. */
  readonly source: string;
  readonly primaryKey: readonly { readonly name: string; readonly value: string }[];
  readonly attributes: readonly AttributeEntry[];
  readonly tags: readonly Tag[];
  readonly resourceHolder?: { readonly key: string; readonly name: string };
  readonly abuseContact?: AbuseContactEntry;
  /** Whether the operator of the registry co-maintains it; absent unless that was asked. */
  readonly managed?: boolean;
  /** What there is to say about this object. */
  readonly messages?: readonly Message[];
  /** Revision number; only for a single version. */
  readonly version?: number;
  /** RPSL text, ends with LF. */
  readonly text: string;
}

export interface AttributeEntry {
  readonly name: string;
  readonly value: string;
  /** With its type: where the object that the value names is found. */
  readonly reference?: { readonly type: string; readonly href: string };
  readonly comment?: string;
  /** Only the operator of the registry may change it. */
  readonly managed?: true;
}

export interface AbuseContactEntry {
  /** Handle of the role. */
  readonly key: string;
  readonly email: string;
  /** Whether the mailbox is known not to work. */
  readonly suspect: boolean;
  /** Organisation to turn to otherwise. */
  readonly orgId?: string;
}

/** The parameters of a search as submitted; flags by their long names. */
export interface SearchParameters {
  readonly inverseAttributes: readonly string[];
  readonly types: readonly string[];
  readonly flags: readonly string[];
  readonly queries: readonly string[];
  readonly sources: readonly string[];
}

/** Where a resource is said to be. */
export interface Geolocation {
  readonly location?: GeoEntry;
  readonly languages: readonly GeoEntry[];
  readonly geofeed?: GeoEntry;
}

/** A value and where the object that holds it is found. */
export interface GeoEntry {
  readonly value: string;
  readonly href: string;
}

/** Where a client stands. */
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
  /** Length of the window that "most" is for; absent for what is going on at the same time. */
  readonly seconds?: number;
  /** yyyy-MM-ddTHH:mm:ssZ when "used" begins again. */
  readonly resets?: string;
}

export interface SourceEntry {
  /** Upper case. */
  readonly name: string;
  /** Lower case. */
  readonly id: string;
}

export interface TemplateEntry {
  readonly type: string;
  /** Source, lower case. */
  readonly source: string;
  readonly attributes: readonly TemplateAttribute[];
  /** The template as text. */
  readonly text: string;
}

export interface TemplateAttribute {
  readonly name: string;
  readonly requirement: string;
  readonly cardinality: string;
  readonly keys: readonly string[];
}

export interface VersionList {
  readonly type: string;
  /** As it stood in the path. */
  readonly key: string;
  readonly versions: readonly VersionEntry[];
}

export interface VersionEntry {
  readonly revision: number;
  /** yyyy-MM-ddTHH:mm:ssZ */
  readonly date: string;
  /** "ADD/UPD" or "DEL". */
  readonly operation: string;
}

/** Which software answers. */
export interface ServerVersion {
  readonly version: string;
  readonly timestamp?: string;
  readonly commitId?: string;
}
