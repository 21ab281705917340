import type { Context } from '../context.js';
import type { Exchange } from '../exchange.js';
import type { Target, TargetOf } from '../locator.js';
import type { Answer } from '../respond.js';
import { findAbuseContact } from './abuse-contact.js';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.js';
import { locateResource } from './geolocation.js';
import { showLimits } from './limits.js';
import { lookUpObject } from './lookup.js';
import { getTemplate, listSources } from './metadata.js';
import { listOwnMaintainers } from './own-maintainers.js';
import { getPage } from './page.js';
import { search } from './search.js';
import { endSession, finishSignIn, getSession, startSignIn } from './session.js';
import { synchroniseUpdates } from './syncupdates.js';
import { getVersion, listVersions } from './versions.js';
import { createObject, createPair, deleteObject, updateObject } from './writes.js';

/** Answers a request; throws what is no success. */
type Route<T extends Target> = (context: Context, exchange: Exchange<T>) => Promise<Answer>;
type Methods<T extends Target> = Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Route<T>>>>;

const routes: { readonly [K in Target['kind']]: Methods<TargetOf<K>> } = {
  collection: { POST: createObject },
  object: { GET: lookUpObject, PUT: updateObject, DELETE: deleteObject },
  versions: { GET: listVersions },
  version: { GET: getVersion },
  sources: { GET: listSources },
  template: { GET: getTemplate },
  limits: { GET: showLimits },
  references: { POST: createPair },
  search: { GET: search },
  geolocation: { GET: locateResource },
  'abuse-contact': { GET: findAbuseContact },
  'api-keys': { GET: listApiKeys, POST: createApiKey },
  'api-key': { DELETE: revokeApiKey },
  session: { GET: getSession, DELETE: endSession },
  'own-maintainers': { GET: listOwnMaintainers },
  'sign-in': { GET: startSignIn },
  'sign-in-callback': { GET: finishSignIn },
  syncupdates: { POST: synchroniseUpdates },
  page: { GET: getPage },
  unknown: {},
};

/** The route of a target and a method; HEAD is answered as GET. */
export function routeOf(target: Target, method: string): Route<Target> | undefined {
  const methods: Readonly<Record<string, unknown>> = routes[target.kind];
  const name = method === 'HEAD' ? 'GET' : method;
  // The table ties each route to its kind of target, which is the kind that it was found by.
  return Object.hasOwn(methods, name) ? (methods[name] as Route<Target>) : undefined;
}

/** The methods of a target, for the header Allow; empty for an unknown path. */
export function allowedMethods(target: Target): string[] {
  const methods = Object.keys(routes[target.kind]).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}
