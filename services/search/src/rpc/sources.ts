import type { Message } from '@cadastre/proto/registry';
import { queryMessages, type SearchedSource, sourceOf } from '@cadastre/query';
import { asciiUpperCase } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { allSources, type Context } from '../context.js';
import type { QueryPlan } from '../query/plan.js';

/** The source that a request names; the main one without a name. Errors: ServiceError 'invalid' for an unknown name. */
export function requireSource({ sources }: Pick<Context, 'sources'>, name: string): SearchedSource {
  const source = sourceOf(asciiUpperCase(name || sources.main), sources);
  if (source === undefined) throw new ServiceError('invalid', [queryMessages.invalidSource(name)]);
  return source;
}

/** The source of an index, in upper case. Errors: ServiceError 'invalid' for any other name. */
export function requireIndexed({ sources }: Pick<Context, 'sources'>, name: string): string {
  const source = asciiUpperCase(name);
  if (!allSources(sources).includes(source)) throw new ServiceError('invalid', [queryMessages.invalidSource(name)]);
  return source;
}

/**
 * Warnings about sources of a query whose index is not built yet. Errors: ServiceError 'unavailable' when no source is
 * left.
 */
export function missingWarnings({ sources }: QueryPlan, missing: readonly SearchedSource[]): Message[] {
  if (missing.length === sources.length) throw indexMissing();
  return missing.flatMap(({ names }) => names).map(queryMessages.notIndexed);
}

/** No searched source has an index yet. */
export function indexMissing(): ServiceError {
  return new ServiceError('unavailable', 'The search index is being built');
}
