import type { ObjectWriterServiceService } from '@cadastre/proto/objects';
import type { Handlers } from '@cadastre/service';
import { type WriteContext, writeTo } from './convert-request.js';

export function createObject(context: WriteContext): Handlers<typeof ObjectWriterServiceService>['createObject'] {
  return async ({ source, type, object, options }, call) => {
    const submission = { verb: 'create', path: { type }, attributes: object?.attributes ?? [], reason: '' } as const;
    const [result] = await writeTo(context, source, [submission], options, call);
    return { result };
  };
}
