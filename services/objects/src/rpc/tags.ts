import type { TagServiceService } from '@cadastre/proto/objects';
import type { ObjectKey } from '@cadastre/proto/registry';
import { duringCall, failureMessage, type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { lockSource } from '../store/locks.js';
import { loadObjects } from '../store/objects.js';
import { currentSerial, takeSerials } from '../store/serials.js';
import type { Sources } from '../store/sources.js';
import type { Db, ObjectId, StoredObject, StoredTag } from '../store/stored-object.js';
import { announceAgain, listTags as listStored, putTag, removeTag, type TagOfObject } from '../store/tags.js';
import { pageSize } from './claims.js';
import { requireKey, requireSource, requireType } from './requested.js';

const maxDataLength = 200;

export function tagHandlers(context: Context): Handlers<typeof TagServiceService> {
  const { sources, readPool } = context;
  return {
    attachTag: async ({ keys, tag }) => {
      const { id, data } = tag ?? { id: '', data: '' };
      if (data.length > maxDataLength) {
        throw new ServiceError('invalid', `The data of a tag has at most ${maxDataLength} characters`);
      }
      return changeTags(context, keys, id, {
        changes: (stored) => !stored.tags.some((one) => one.id === id && one.data === data),
        apply: (db, objects) => putTag(db, objects, { id, data }),
      });
    },
    detachTag: async ({ keys, tagId }) =>
      changeTags(context, keys, tagId, {
        changes: (stored) => stored.tags.some((one) => one.id === tagId),
        apply: (db, objects) => removeTag(db, objects, tagId),
      }),
    listTags: async ({ source, tagId, after, limit }, call) => {
      const requested = source === '' ? sources.all : [requireSource(sources, source)];
      if (tagId !== '') requireTagId(tagId);
      const names = new Map(requested.map(({ id, name }) => [id, name]));
      const size = pageSize(limit);
      const found = await listStored(duringCall(readPool, call), {
        sourceIds: [...names.keys()],
        tagId: tagId || undefined,
        after: after === '' ? undefined : requirePosition(sources, after),
        limit: size,
      });
      const tags = found.map(({ sourceId, type, key, tag }) => {
        return { key: { source: names.get(sourceId)!, type, key }, tag };
      });
      return { tags, next: tags.length < size ? '' : positionOf(tags.at(-1)!) };
    },
  };
}

/** Where a page ends; only the key may have blanks. */
function positionOf({ key: { source, type, key }, tag }: { key: ObjectKey; tag: StoredTag }): string {
  return `${source} ${type} ${tag.id} ${key}`;
}

function requirePosition(sources: Sources, position: string): TagOfObject {
  const [, source, type, id, key] = /^(\S+) (\S+) ([A-Za-z0-9-]+) ([^\0]+)$/.exec(position) ?? [];
  if (!source || !type || !id || !key) throw new ServiceError('invalid', 'No page ended at this place');
  return { sourceId: requireSource(sources, source).id, type: requireType(type), key, tag: { id, data: '' } };
}

const maxKeys = 1000;

/** The change that a call makes to the tags of each object. */
interface TagChange {
  /** Whether the object would change. */
  changes(stored: StoredObject): boolean;
  apply(db: Db, objects: readonly StoredObject[]): Promise<void>;
}

/** Changes the tags of objects of one source, all or none. The feed announces the objects that changed. */
async function changeTags(
  context: Context,
  keys: readonly ObjectKey[],
  tagId: string,
  change: TagChange,
): Promise<{ changed: number; serial: bigint }> {
  const { sourceId, ids } = requireKeys(context, keys);
  requireTagId(tagId);
  return inTransaction(context.writePool, async (db) => {
    await lockSource(db, sourceId);
    const changing = present(ids, await loadObjects(db, ids)).filter((stored) => change.changes(stored));
    if (changing.length === 0) return { changed: 0, serial: await currentSerial(db, sourceId) };
    await change.apply(db, changing);
    const first = await takeSerials(db, sourceId, changing.length);
    await announceAgain(db, changing, first, context.clock());
    return { changed: changing.length, serial: first + BigInt(changing.length) - 1n };
  });
}

function requireTagId(tagId: string): void {
  if (/^[A-Za-z0-9-]{1,50}$/.test(tagId)) return;
  throw new ServiceError('invalid', 'The name of a tag has 1 to 50 letters, digits and hyphens');
}

function requireKeys(context: Context, keys: readonly ObjectKey[]): { sourceId: number; ids: ObjectId[] } {
  if (keys.length === 0 || keys.length > maxKeys) throw new ServiceError('invalid', `1 to ${maxKeys} keys in one call`);
  const ids = new Map<string, ObjectId>();
  for (const { id } of keys.map((key) => requireKey(context.sources, key))) ids.set(`${id.type} ${id.key}`, id);
  const sourceIds = new Set(keys.map((key) => context.sources.byName(key.source)!.id));
  const [sourceId] = sourceIds;
  if (sourceId === undefined || sourceIds.size > 1) throw new ServiceError('invalid', 'Tag one source at a time');
  return { sourceId, ids: [...ids.values()] };
}

function present(ids: readonly ObjectId[], stored: readonly (StoredObject | undefined)[]): StoredObject[] {
  const there = stored.filter((one) => one !== undefined && !one.deleted) as StoredObject[];
  if (there.length < ids.length) {
    const missing = ids.find((_, index) => stored[index] === undefined || stored[index].deleted)!;
    throw new ServiceError('not-found', [failureMessage('No such object: %s %s', [missing.type, missing.key])]);
  }
  return there;
}
