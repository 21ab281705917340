import type { AbuseContact } from '@cadastre/client';
import { nameOfLocator, type ObjectName } from '../paths.js';
import { answerOf, registry, undefinedOn } from './registry.js';

/** A statement about the location of a resource, and the object that makes it. */
export interface GeoStatement {
  readonly value: string;
  readonly holder: ObjectName | undefined;
}

/** The location of a resource. */
export interface Geolocation {
  readonly location: GeoStatement | undefined;
  readonly languages: readonly GeoStatement[];
  readonly geofeed: GeoStatement | undefined;
}

/** The abuse contact of a resource; `undefined` when there is none. Throws a RequestFailed. */
export async function findAbuseContact(resource: string, signal?: AbortSignal): Promise<AbuseContact | undefined> {
  const params = { path: { resource } };
  const answer = await undefinedOn(answerOf(registry.GET('/abuse-contact/{resource}', { params, signal })), 400, 404);
  return answer?.['abuse-contacts'];
}

/** The location of an address, a range or a prefix; `undefined` when there is none. Throws a RequestFailed. */
export async function locate(resource: string, signal?: AbortSignal): Promise<Geolocation | undefined> {
  const params = { query: { ipkey: resource } };
  const answer = await undefinedOn(answerOf(registry.GET('/geolocation', { params, signal })), 400, 404);
  const attributes = answer?.['geolocation-attributes'];
  if (attributes === undefined) return undefined;
  const [location] = (attributes.location ?? []).map(readStatement);
  const [geofeed] = (attributes.geofeed ?? []).map(readStatement);
  return { location, languages: (attributes.language ?? []).map(readStatement), geofeed };
}

function readStatement({ value, link }: { value: string; link: { href: string } }): GeoStatement {
  return { value, holder: nameOfLocator(link.href) };
}
