import type { WatchResponse } from '@cadastre/proto/objects';
import { Operation, type RegistryObject } from '@cadastre/proto/registry';
import type { Logger } from '@cadastre/service';
import { indexDocument, objectId } from '../document.js';
import type { IndexDocument, ObjectId } from '../index-port.js';

/** The changes of a feed message, for the index. */
export interface Changes {
  readonly documents: readonly IndexDocument[];
  readonly deletions: readonly ObjectId[];
}

/** Selects the last change of each object. Does not index unreadable objects. */
export function changesOf(response: WatchResponse, logger: Logger): Changes {
  const newest = new Map<string, IndexDocument | ObjectId>();
  for (const { object, operation } of response.changes) {
    const id = object && objectId(object);
    if (id === undefined) continue;
    const document = operation === Operation.OPERATION_DELETE ? undefined : readable(object!, logger);
    newest.set(`${id.type} ${id.key}`, document ?? id);
  }
  const states = [...newest.values()];
  return {
    documents: states.filter((state) => 'terms' in state),
    deletions: states.filter((state) => !('terms' in state)),
  };
}

/** The documents of a page of an export. */
export function documentsOf(objects: readonly RegistryObject[], logger: Logger): IndexDocument[] {
  return objects.flatMap((object) => readable(object, logger) ?? []);
}

function readable(object: RegistryObject, logger: Logger): IndexDocument | undefined {
  const document = indexDocument(object);
  if (document === undefined) {
    logger.warn({ source: object.source, type: object.type, key: object.key }, 'cannot index object');
  }
  return document;
}
