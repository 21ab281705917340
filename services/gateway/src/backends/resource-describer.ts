import type {
  BatchDescribeResourcesResponse,
  NetworkDescription,
  ResourceServiceService,
  RouteDescription,
} from '@cadastre/proto/geo';
import { type RoaServiceService, RoaState } from '@cadastre/proto/search';
import { formatMessage, type RpcClient } from '@cadastre/service';
import type { DescribedResource, DescribedRoute } from '../documents/resource-descriptions.js';

/** Options for the calls of a request. */
export interface DescribeCall {
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** Describes up to 500 resources, in order. Throws a ServiceError. */
export type DescribeResources = (resources: readonly string[], call: DescribeCall) => Promise<DescribedResource[]>;

/** Routes in one call of the search service. */
const maxRoutes = 1000;

const states: { readonly [state in RoaState]?: NonNullable<DescribedRoute['roa']> } = {
  [RoaState.ROA_STATE_VALID]: 'valid',
  [RoaState.ROA_STATE_INVALID]: 'invalid',
  [RoaState.ROA_STATE_NOT_FOUND]: 'not-found',
};

/**
 * Requests networks with their routes, and the states of the routes: one call each, or some more for very many routes.
 * Without states of routes the rest is returned.
 */
export function createResourceDescriber(
  describing: Pick<RpcClient<typeof ResourceServiceService>, 'batchDescribeResources'>,
  roa: Pick<RpcClient<typeof RoaServiceService>, 'batchValidateRoutes'>,
  deadlineMs: number,
): DescribeResources {
  return async (resources, { signal, requestId }) => {
    const call = { deadlineMs, signal, requestId };
    const found = await describing.batchDescribeResources({ resources: [...resources] }, call);
    const validated: DescribedRoute[] = [];
    for (let at = 0; at < found.routes.length; at += maxRoutes) {
      const routes = found.routes.slice(at, at + maxRoutes);
      const { states: answered } = await roa.batchValidateRoutes({ routes }, call).catch(() => ({ states: [] }));
      validated.push(...routes.map((route, index) => describedRoute(route, answered[index])));
    }
    const networks = found.networks.map(describedNetwork);
    return found.resources.map((one, at) => describedResource(resources[at]!, one, networks, validated));
  };
}

type Networks = readonly Pick<DescribedResource, 'network' | 'resource-holder' | 'abuse-contact'>[];

function describedResource(
  resource: string,
  { network, routes, failure }: BatchDescribeResourcesResponse['resources'][number],
  networks: Networks,
  validated: readonly DescribedRoute[],
): DescribedResource {
  const error = failure?.messages.map(formatMessage).join('\n');
  const described = network === undefined ? {} : networks[network];
  return {
    resource,
    ...described,
    routes: routes.flatMap((position) => validated[position] ?? []),
    ...(error === undefined ? {} : { error }),
  };
}

function describedNetwork({
  object,
  name,
  countries,
  holderKey,
  holderName,
  abuseContact: contact,
}: NetworkDescription): Networks[number] {
  const { source = '', type = '', key = '' } = object ?? {};
  return {
    network: { source, type, key, name, countries },
    ...(holderKey !== '' && { 'resource-holder': { key: holderKey, name: holderName } }),
    ...(contact && {
      'abuse-contact': {
        key: contact.role,
        email: contact.email,
        suspect: contact.suspect,
        ...(contact.orgId !== '' && { 'org-id': contact.orgId }),
      },
    }),
  };
}

function describedRoute({ prefix, origin }: RouteDescription, state: RoaState | undefined): DescribedRoute {
  const roa = state === undefined ? undefined : states[state];
  return { prefix, origin, ...(roa === undefined ? {} : { roa }) };
}
