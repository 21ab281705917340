import type { ObjectWriterServiceService } from '@cadastre/proto/objects';
import type { Handlers } from '@cadastre/service';
import { type WriteContext, writeTo } from './convert-request.js';

export function updateObject(context: WriteContext): Handlers<typeof ObjectWriterServiceService>['updateObject'] {
  return async ({ key, object, options }, call) => {
    const { source = '', ...path } = key ?? { type: '', key: '' };
    const submission = { verb: 'update', path, attributes: object?.attributes ?? [], reason: '' } as const;
    const [result] = await writeTo(context, source, [submission], options, call);
    return { result };
  };
}
