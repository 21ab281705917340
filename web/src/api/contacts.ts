import type { AbuseContact } from '@cadastre/client';
import { nameOfLocator, type ObjectName } from '../paths.js';
import { optional } from './objects.js';
import { answerOf, RequestFailed, registry } from './registry.js';

/** A statement about the location of a resource, and the object that makes it. */
export interface GeoStatement {
  readonly value: string;
  readonly holder?: ObjectName;
}

/** The location of a resource. */
export interface Geolocation {
  readonly location?: GeoStatement;
  readonly languages: readonly GeoStatement[];
  readonly geofeed?: GeoStatement;
}

/** The abuse contact of a resource; `undefined` when there is none. Throws a RequestFailed. */
export async function findAbuseContact(resource: string, signal?: AbortSignal): Promise<AbuseContact | undefined> {
  const params = { path: { resource } };
  const answer = await orNothing(answerOf(registry.GET('/abuse-contact/{resource}', { params, ...optional(signal) })));
  return answer?.['abuse-contacts'];
}

/** The location of an address, a range or a prefix; `undefined` when there is none. Throws a RequestFailed. */
export async function locate(resource: string, signal?: AbortSignal): Promise<Geolocation | undefined> {
  const params = { query: { ipkey: resource } };
  const answer = await orNothing(answerOf(registry.GET('/geolocation', { params, ...optional(signal) })));
  const said = answer?.['geolocation-attributes'];
  if (said === undefined) return undefined;
  const [location] = (said.location ?? []).map(readStatement);
  const [geofeed] = (said.geofeed ?? []).map(readStatement);
  const languages = (said.language ?? []).map(readStatement);
  return { ...(location ? { location } : {}), languages, ...(geofeed ? { geofeed } : {}) };
}

function readStatement({ value, link }: { value: string; link: { href: string } }): GeoStatement {
  const holder = nameOfLocator(link.href);
  return { value, ...(holder ? { holder } : {}) };
}

function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof RequestFailed && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  });
}
