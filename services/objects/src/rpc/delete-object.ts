import type { ObjectWriterServiceService } from '@cadastre/proto/objects';
import type { Handlers } from '@cadastre/service';
import { type WriteContext, writeTo } from './convert-request.js';

export function deleteObject(context: WriteContext): Handlers<typeof ObjectWriterServiceService>['deleteObject'] {
  return async ({ key, object, reason, options }, call) => {
    const { source = '', ...path } = key ?? { type: '', key: '' };
    const submission = { verb: 'delete', path, attributes: object?.attributes ?? [], reason } as const;
    const [result] = await writeTo(context, source, [submission], options, call);
    return { result };
  };
}
