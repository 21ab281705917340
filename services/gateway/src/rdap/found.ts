import type { RegistryObject } from '@cadastre/proto/registry';
import { type FoundObject, type ObjectSource, type Showing, type Stored, withRoom } from '@cadastre/rdap';
import { isPerson } from '@cadastre/rpsl';
import { createSlices, ServiceError } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { CountContact } from '../limits/personal-objects.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteRequest } from '../route.js';
import { registryOf, requestUrl } from './registry.js';

/** An object to show, with the data that is already available. */
export interface Found extends FoundObject {
  readonly object: RegistryObject;
  /** Whether new bootstrap files may redirect the request: then the document is not cached. */
  readonly mayMove?: boolean;
}

/** Results of searches show only handles and links of the persons inside other objects. */
const noPersons: CountContact = ({ object }) => !isPerson(object);

/** The documents of a request. */
export function showingFor(
  context: Context,
  request: RouteRequest,
  reply: FastifyReply,
  mayShow: CountContact = noPersons,
): Showing {
  return {
    source: objectSource(context, request, clientGone(reply)),
    registry: registryOf(context, request),
    requested: { url: requestUrl(request) },
    mayShow: withRoom(mayShow),
  };
}

/** The objects of the main source, for one client: charges it for what is read, and stops when it disconnects. */
function objectSource(context: Context, request: RouteRequest, signal: AbortSignal): ObjectSource {
  const { objectCache, abuseContactCache, lookUpPage, findParent, findNetworks, search, limiter, pageTurn } = context;
  const client = request.limitedClient;
  const charged = (read: Stored | undefined) => {
    if (read) limiter.charge(client, 'bytes', charactersOf(read));
    return read;
  };
  return {
    find(type, key) {
      const found = objectCache.find(type, key);
      return found instanceof Promise ? found.then(charged) : found;
    },
    findPage: (names) => lookUpPage(names, signal),
    parentOf: async (key) => (await findParent(key, signal))[0],
    networksAround: (range) => findNetworks(range, signal),
    abuseContactOf: (resource, parentKey, find) =>
      // Without search, the document lacks the contact, but the request succeeds. The previous release of search does not
      // have the method.
      unlessFailed(['unavailable', 'unimplemented'], async () => {
        const handle = await abuseContactCache.find(resource, parentKey, signal);
        return { role: handle === undefined ? undefined : await find('role', handle) };
      }),
    holdingsOf: ({ key: organisation }, limit) =>
      // The previous release does not have the method.
      unlessFailed(['unavailable', 'unimplemented'], () =>
        search.listHoldings(
          { source: '', organisation, limit, client: client.id },
          { ...shortCall(context, request), signal },
        ),
      ),
    slice: createSlices(() => pageTurn(client.id)),
  };
}

function charactersOf({ object }: Stored): number {
  return object.attributes.reduce((sum, { raw }) => sum + raw.length, 0);
}

/** The result of a call; undefined when it fails for one of these reasons. */
async function unlessFailed<T>(kinds: readonly ServiceError['kind'][], call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ServiceError && kinds.includes(error.kind)) return undefined;
    throw error;
  }
}
