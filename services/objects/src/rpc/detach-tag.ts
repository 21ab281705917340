import type { TagServiceService } from '@cadastre/proto/objects';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { removeTag } from '../store/tags.js';
import { changeTags } from './change-tags.js';

export function detachTag(context: Context): Handlers<typeof TagServiceService>['detachTag'] {
  return async ({ keys, tagId }) =>
    changeTags(context, keys, tagId, {
      changes: (stored) => stored.tags.some((one) => one.id === tagId),
      apply: (db, objects) => removeTag(db, objects, tagId),
    });
}
