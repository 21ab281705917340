import { queryMessages, type SearchedSource, sourceOf } from '@cadastre/query';
import { asciiUpperCase } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';

/** The source that a request names; the main one without a name. Errors: ServiceError 'invalid' for an unknown name. */
export function requireSource({ sources }: Pick<Context, 'sources'>, name: string): SearchedSource {
  const source = sourceOf(asciiUpperCase(name || sources.main), sources);
  if (source === undefined) throw new ServiceError('invalid', [queryMessages.invalidSource(name)]);
  return source;
}
