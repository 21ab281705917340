import { queryMessages } from '@cadastre/query';
import { asciiUpperCase } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { allSources, type Context } from '../context.js';

/** The source of an index, in upper case. Errors: ServiceError 'invalid' for any other name. */
export function requireIndexed({ sources }: Pick<Context, 'sources'>, name: string): string {
  const source = asciiUpperCase(name);
  if (!allSources(sources).includes(source)) throw new ServiceError('invalid', [queryMessages.invalidSource(name)]);
  return source;
}
