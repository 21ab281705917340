import {
  BulkLoadServiceService,
  ChangeFeedServiceService,
  EmailMarkServiceService,
  HierarchyServiceService,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
  TagServiceService,
} from '@cadastre/proto/objects';
import { type Handlers, type Implementation, implement } from '@cadastre/service';
import type { Context } from './context.js';
import { feedHandlers, hierarchyHandlers, loadHandlers, readerHandlers, tagHandlers } from './handlers.js';
import { applyChanges } from './rpc/apply-changes.js';
import { createObject } from './rpc/create-object.js';
import { deleteObject } from './rpc/delete-object.js';
import { emailMarkHandlers } from './rpc/email-marks.js';
import { updateObject } from './rpc/update-object.js';

/** All services of this process. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(ObjectReaderServiceService, readerHandlers(context)),
    implement(ObjectWriterServiceService, writerHandlers(context)),
    implement(HierarchyServiceService, hierarchyHandlers(context)),
    implement(ChangeFeedServiceService, feedHandlers(context)),
    implement(BulkLoadServiceService, loadHandlers(context)),
    implement(TagServiceService, tagHandlers(context)),
    implement(EmailMarkServiceService, emailMarkHandlers(context)),
  ];
}

function writerHandlers(context: Context): Handlers<typeof ObjectWriterServiceService> {
  return {
    createObject: createObject(context),
    updateObject: updateObject(context),
    deleteObject: deleteObject(context),
    applyChanges: applyChanges(context),
  };
}
