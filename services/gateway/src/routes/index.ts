import type { Target } from '../locator.js';
import { abuseContact } from './abuse-contact.js';
import { apiKeyCreation, apiKeyList, apiKeyRevocation } from './api-keys.js';
import { documentationPage, documentationPart } from './documentation.js';
import { geolocation } from './geolocation.js';
import { interfaceDescription } from './interface-description.js';
import { ownLimits } from './limits.js';
import { objectLookup } from './lookup.js';
import { sourceList, typeTemplate } from './metadata.js';
import { ownMaintainerList } from './own-maintainers.js';
import { webPage } from './page.js';
import type { PathRoutes, Route, RouteMethod } from './route.js';
import { objectSearch } from './search.js';
import { sessionEnd, sessionRead, signInCallback, signInStart } from './session.js';
import { textUpdate } from './syncupdates.js';
import { objectVersion, versionList } from './versions.js';
import { objectCreation, objectDeletion, objectUpdate, pairCreation } from './writes.js';

/** Everything that can be asked: what answers, and what the description of the interface is made of. */
export const routes: { readonly [K in Exclude<Target['kind'], 'unknown'>]: PathRoutes<K> } = {
  collection: { path: '/{source}/{objectType}', POST: objectCreation },
  object: { path: '/{source}/{objectType}/{key}', GET: objectLookup, PUT: objectUpdate, DELETE: objectDeletion },
  versions: { path: '/{source}/{objectType}/{key}/versions', GET: versionList },
  version: { path: '/{source}/{objectType}/{key}/versions/{version}', GET: objectVersion },
  references: { path: '/references/{source}', POST: pairCreation },
  syncupdates: { path: '/syncupdates/{source}', POST: textUpdate },
  search: { path: '/search', GET: objectSearch },
  sources: { path: '/metadata/sources', GET: sourceList },
  template: { path: '/metadata/templates/{objectType}', GET: typeTemplate },
  limits: { path: '/metadata/limits', GET: ownLimits },
  geolocation: { path: '/geolocation', GET: geolocation },
  'abuse-contact': { path: '/abuse-contact/{resource}', GET: abuseContact },
  'api-keys': { path: '/api-keys', GET: apiKeyList, POST: apiKeyCreation },
  'api-key': { path: '/api-keys/{id}', DELETE: apiKeyRevocation },
  session: { path: '/session', GET: sessionRead, DELETE: sessionEnd },
  'own-maintainers': { path: '/session/maintainers', GET: ownMaintainerList },
  'sign-in': { path: '/session/login', GET: signInStart },
  'sign-in-callback': { path: '/session/callback', GET: signInCallback },
  openapi: { path: '/openapi.json', GET: interfaceDescription },
  documentation: { path: '/docs', GET: documentationPage },
  'documentation-file': { path: '/docs/{file}', GET: documentationPart },
  page: { path: '/', GET: webPage },
};

/** The methods that routes can have. */
const routeMethods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** The route of a target and a method; HEAD is answered as GET. */
export function routeOf({ kind }: Target, method: string): Route | undefined {
  const name = routeMethods.find((one) => one === (method === 'HEAD' ? 'GET' : method));
  // The table ties each route to its kind of target, which is the kind that it was found by.
  return kind === 'unknown' || name === undefined ? undefined : (routes[kind][name] as Route | undefined);
}

/** The methods of a target, for the header Allow; empty for an unknown path. */
export function allowedMethods({ kind }: Target): string[] {
  if (kind === 'unknown') return [];
  const methods = routeMethods.filter((method) => routes[kind][method] !== undefined);
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
}
