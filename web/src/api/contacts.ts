import type { AbuseContact, components } from '@cadastre/client';
import { answerOf, registry, undefinedOn } from './registry.js';

/** Statements about the location of a resource, each with the object that makes it. */
export type Geolocation = components['schemas']['GeolocationAttributes'];

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
  return answer?.['geolocation-attributes'];
}
