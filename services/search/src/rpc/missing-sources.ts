import { type Message, Severity } from '@cadastre/proto/registry';
import type { SearchedSource } from '@cadastre/query';
import { failureMessage, ServiceError } from '@cadastre/service';
import type { QueryPlan } from '../query/plan.js';

/**
 * Warnings about sources of a query whose index is not built yet. Errors: ServiceError 'unavailable' when no source is
 * left.
 */
export function missingWarnings({ sources }: QueryPlan, missing: readonly SearchedSource[]): Message[] {
  if (missing.length === sources.length) throw indexMissing();
  return missing
    .flatMap(({ names }) => names)
    .map((source) =>
      failureMessage(
        'Source %s cannot be searched yet: its index is being built.',
        [source],
        Severity.SEVERITY_WARNING,
      ),
    );
}

/** No searched source has an index yet. */
export function indexMissing(): ServiceError {
  return new ServiceError('unavailable', 'The search index is being built');
}
