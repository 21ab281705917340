import { ResourceStatus } from '@cadastre/proto/geo';
import type { Message } from '@cadastre/proto/registry';
import { failureMessage, ServiceError } from '@cadastre/service';

const maxResources = 500;

/** What was found for one of the requested resources, or why nothing was. */
export type ResourceAnswer<T> = { readonly found: T } | ResourceRefusal;

export interface ResourceRefusal {
  readonly kind: 'invalid' | 'not-found';
  readonly messages: Message[];
}

/** The text names no resource of the requested kind. */
export function noResource(text: string): ResourceRefusal {
  return { kind: 'invalid', messages: [failureMessage('Invalid argument: %s', [text])] };
}

/** Nothing was found. */
export function notFound(template: string, ...args: string[]): ResourceRefusal {
  return { kind: 'not-found', messages: [failureMessage(template, args)] };
}

/** What was found. Throws a ServiceError when nothing was. */
export function requireFound<T>([answer]: readonly ResourceAnswer<T>[]): T {
  if (answer === undefined) throw new Error('no answer');
  if ('found' in answer) return answer.found;
  throw new ServiceError(answer.kind, answer.messages);
}

/** What was found, if anything. */
export function foundOf<T>(answer: ResourceAnswer<T> | undefined): T | undefined {
  return answer && 'found' in answer ? answer.found : undefined;
}

/** The outcome of one resource, for an answer of a batch. */
export function outcomeOf(answer: ResourceAnswer<unknown>): { status: ResourceStatus; messages: Message[] } {
  if ('found' in answer) return { status: ResourceStatus.RESOURCE_STATUS_FOUND, messages: [] };
  const { kind, messages } = answer;
  const { RESOURCE_STATUS_INVALID, RESOURCE_STATUS_NOT_FOUND } = ResourceStatus;
  return { status: kind === 'invalid' ? RESOURCE_STATUS_INVALID : RESOURCE_STATUS_NOT_FOUND, messages };
}

/** The resources of a batch. Throws for too many. */
export function requireBatch({ resources }: { readonly resources: readonly string[] }): readonly string[] {
  if (resources.length > maxResources) {
    throw new ServiceError('invalid', `At most ${maxResources} resources in one call`);
  }
  return resources;
}
