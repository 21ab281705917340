import type { ItemFailure } from '@cadastre/proto/registry';
import { type Call, failureMessage, failureOf, ServiceError } from '@cadastre/service';
import type { Reading } from '../resources/lineages-in-index.js';

const maxResources = 500;

/** The result for one of the requested resources, or why there is none. */
export type ResourceAnswer<T> = { readonly found: T } | { readonly error: ServiceError };

/** The text names no resource of the requested kind. */
export function noResource(text: string): { error: ServiceError } {
  return { error: new ServiceError('invalid', [failureMessage('Invalid argument: %s', [text])]) };
}

/** Nothing was found. */
export function notFound(template: string, ...args: string[]): { error: ServiceError } {
  return { error: new ServiceError('not-found', [failureMessage(template, args)]) };
}

/** The result. Throws a ServiceError when there is none. */
export function requireFound<T>([answer]: readonly ResourceAnswer<T>[]): T {
  if (answer === undefined) throw new Error('no answer');
  if ('found' in answer) return answer.found;
  throw answer.error;
}

/** The result, if any. */
export function foundOf<T>(answer: ResourceAnswer<T> | undefined): T | undefined {
  return answer && 'found' in answer ? answer.found : undefined;
}

/** Why there is no result, for an answer of a batch. */
export function itemFailureOf(answer: ResourceAnswer<unknown>): ItemFailure | undefined {
  return 'found' in answer ? undefined : failureOf(answer.error);
}

/** How a request may be answered from the index; undefined when the answer must show every acknowledged write. */
export function readingOf(
  { minSerial, client }: { readonly minSerial?: bigint | undefined; readonly client?: string | undefined },
  { caller }: Pick<Call, 'caller'>,
): Reading | undefined {
  return minSerial === undefined ? undefined : { minSerial, client: client ?? caller };
}

/** The resources of a batch. Throws for too many. */
export function requireBatch({ resources }: { readonly resources: readonly string[] }): readonly string[] {
  if (resources.length > maxResources) {
    throw new ServiceError('invalid', `At most ${maxResources} resources in one call`);
  }
  return resources;
}
