import type { TagServiceService } from '@cadastre/proto/objects';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { putTag } from '../store/tags.js';
import { changeTags } from './change-tags.js';

const maxDataLength = 200;

export function attachTag(context: Context): Handlers<typeof TagServiceService>['attachTag'] {
  return async ({ keys, tag }) => {
    const { id, data } = tag ?? { id: '', data: '' };
    if (data.length > maxDataLength) {
      throw new ServiceError('invalid', `The data of a tag has at most ${maxDataLength} characters`);
    }
    return changeTags(context, keys, id, {
      changes: (stored) => !stored.tags.some((one) => one.id === id && one.data === data),
      apply: (db, objects) => putTag(db, objects, { id, data }),
    });
  };
}
