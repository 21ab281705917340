import { nameOfLocator, type ObjectName } from '../paths.js';
import { RequestFailed, requestJson } from './request.js';

/** Whom to write to about abuse. */
export interface AbuseContact {
  readonly key: string;
  readonly email: string;
  /** The address did not answer when the registry tried it. */
  readonly suspect: boolean;
}

/** Something that is said about where a resource is used, and the object that says it. */
export interface GeoStatement {
  readonly value: string;
  readonly holder?: ObjectName;
}

/** Where a resource is said to be used. */
export interface Geolocation {
  readonly location?: GeoStatement;
  readonly languages: readonly GeoStatement[];
  readonly geofeed?: GeoStatement;
}

/** The abuse contact of a resource; `undefined` when there is none. Throws a RequestFailed. */
export async function findAbuseContact(resource: string, signal?: AbortSignal): Promise<AbuseContact | undefined> {
  const path = `/abuse-contact/${encodeURIComponent(resource).replaceAll('%2F', '/')}.json`;
  const answer = await orNothing(
    requestJson<{ 'abuse-contacts'?: { key?: string; email?: string; suspect?: boolean } }>(path, { signal }),
  );
  const { key = '', email = '', suspect = false } = answer?.['abuse-contacts'] ?? {};
  return email === '' ? undefined : { key, email, suspect };
}

interface SentGeo {
  readonly value: string;
  readonly link?: { readonly href: string };
}

interface SentGeolocation {
  readonly 'geolocation-attributes'?: {
    readonly location?: readonly SentGeo[];
    readonly language?: readonly SentGeo[];
    readonly geofeed?: readonly SentGeo[];
  };
}

/** Where an address, a range or a prefix is said to be used; `undefined` when nobody says. Throws a RequestFailed. */
export async function locate(resource: string, signal?: AbortSignal): Promise<Geolocation | undefined> {
  const path = `/geolocation.json?ipkey=${encodeURIComponent(resource)}`;
  const answer = await orNothing(requestJson<SentGeolocation>(path, { signal }));
  const said = answer?.['geolocation-attributes'];
  if (said === undefined) return undefined;
  const [location] = (said.location ?? []).map(readStatement);
  const [geofeed] = (said.geofeed ?? []).map(readStatement);
  const languages = (said.language ?? []).map(readStatement);
  return { ...(location ? { location } : {}), languages, ...(geofeed ? { geofeed } : {}) };
}

function readStatement({ value, link }: SentGeo): GeoStatement {
  const holder = link && nameOfLocator(link.href);
  return { value, ...(holder ? { holder } : {}) };
}

function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof RequestFailed && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  });
}
