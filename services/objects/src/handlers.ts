import type {
  BulkLoadServiceService,
  ChangeFeedServiceService,
  HierarchyServiceService,
  ObjectReaderServiceService,
  TagServiceService,
} from '@cadastre/proto/objects';
import type { Handlers } from '@cadastre/service';
import type { Context } from './context.js';
import { attachTag } from './rpc/attach-tag.js';
import { batchFindEnclosing } from './rpc/batch-find-enclosing.js';
import { batchLookup } from './rpc/batch-lookup.js';
import { detachTag } from './rpc/detach-tag.js';
import { exportObjects } from './rpc/export-objects.js';
import { findKeyCerts } from './rpc/find-key-certs.js';
import { getVersion } from './rpc/get-version.js';
import { listContained } from './rpc/list-contained.js';
import { listOwnMaintainers } from './rpc/list-own-maintainers.js';
import { listReferences } from './rpc/list-references.js';
import { listSources } from './rpc/list-sources.js';
import { listVersions } from './rpc/list-versions.js';
import { load } from './rpc/load.js';
import { watch } from './rpc/watch.js';

export function readerHandlers(context: Context): Handlers<typeof ObjectReaderServiceService> {
  return {
    batchLookup: batchLookup(context),
    listVersions: listVersions(context),
    getVersion: getVersion(context),
    listReferences: listReferences(context),
    findKeyCerts: findKeyCerts(context),
    listOwnMaintainers: listOwnMaintainers(context),
    exportObjects: exportObjects(context),
    listSources: listSources(context),
  };
}

export function hierarchyHandlers(context: Context): Handlers<typeof HierarchyServiceService> {
  return { batchFindEnclosing: batchFindEnclosing(context), listContained: listContained(context) };
}

export function feedHandlers(context: Context): Handlers<typeof ChangeFeedServiceService> {
  return { watch: watch(context) };
}

export function loadHandlers(context: Context): Handlers<typeof BulkLoadServiceService> {
  return { load: load(context) };
}

export function tagHandlers(context: Context): Handlers<typeof TagServiceService> {
  return { attachTag: attachTag(context), detachTag: detachTag(context) };
}
