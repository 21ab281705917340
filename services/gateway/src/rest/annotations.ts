import { type Message, type RegistryObject, Severity } from '@cadastre/proto/registry';
import type { Annotations, FoundObject } from '@cadastre/proto/search';
import { failureMessage, ServiceError } from '@cadastre/service';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { parameter, type Values } from '../parameters.js';
import type { PathParameters, RouteRequest } from '../route.js';

/** The query parameters for annotations of objects. */
export const annotationQuery = {
  'managed-attributes': parameter.flag('Marks the attributes that only the operator of the registry may change.'),
  'resource-holder': parameter.flag('Shows the organisation that holds a resource.'),
  'abuse-contact': parameter.flag('Shows the abuse contact of a resource.'),
};

/** The annotations of a request. */
export function requestedAnnotations(sent: Values<typeof annotationQuery>): Omit<Annotations, 'roaCheck'> {
  return {
    managedAttributes: sent['managed-attributes'],
    resourceHolder: sent['resource-holder'],
    abuseContact: sent['abuse-contact'],
  };
}

/** The object of a lookup, with its annotations, and warnings about missing ones. */
interface AnnotatedLookup {
  readonly found: FoundObject;
  readonly messages: readonly Message[];
}

/** Requests annotations from the search service. While it is unavailable the object has none, as in a search. */
export async function annotate(
  context: Pick<Context, 'search' | 'settings' | 'logger'>,
  request: RouteRequest<PathParameters, typeof annotationQuery>,
  object: RegistryObject,
): Promise<AnnotatedLookup> {
  const requested = {
    object,
    annotations: { ...requestedAnnotations(request.query), roaCheck: false },
    client: request.limitedClient.id,
  };
  try {
    const { annotations = noAnnotations, messages } = await context.search.annotateObject(
      requested,
      shortCall(context, request),
    );
    return { found: { ...annotations, object }, messages };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    context.logger.warn({ requestId: request.id, err: error }, 'cannot annotate an object');
    return { found: { ...noAnnotations, object }, messages: [unavailable] };
  }
}

const noAnnotations: FoundObject = { related: false, managedAttributes: [], managedMaintainers: [], messages: [] };

const unavailable = failureMessage('Annotations are not available at the moment.', [], Severity.SEVERITY_WARNING);
