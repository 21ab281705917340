import type { ObjectWriterServiceService } from '@cadastre/proto/objects';
import { type Handlers, ServiceError } from '@cadastre/service';
import { type WriteContext, writeTo } from './convert-request.js';
import { submission } from './convert-result.js';

const maxChanges = 100;

export function applyChanges(context: WriteContext): Handlers<typeof ObjectWriterServiceService>['applyChanges'] {
  return async ({ source, changes, options }, call) => {
    if (changes.length === 0 || changes.length > maxChanges) {
      throw new ServiceError('invalid', `1 to ${maxChanges} changes in one call`);
    }
    return { results: await writeTo(context, source, changes.map(submission), options, call) };
  };
}
