import {
  ChangeFeedServiceService,
  HierarchyServiceService,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
} from '@cadastre/proto/objects';
import type { AllowedCallers } from '@cadastre/service';

/** What each of our services calls here. Loading, tags and the rest are for the operator's own systems. */
export const allowedCallers: AllowedCallers = {
  [ObjectReaderServiceService.batchLookup.path]: ['gateway', 'geo'],
  [ObjectReaderServiceService.listVersions.path]: ['gateway'],
  [ObjectReaderServiceService.getVersion.path]: ['gateway'],
  [ObjectReaderServiceService.listOwnMaintainers.path]: ['gateway'],
  [ObjectReaderServiceService.findKeyCerts.path]: ['gateway'],
  [ObjectReaderServiceService.listSources.path]: ['gateway', 'search', 'geo'],
  [ObjectReaderServiceService.exportObjects.path]: ['search'],
  [HierarchyServiceService.batchFindEnclosing.path]: ['geo'],
  [ObjectWriterServiceService.createObject.path]: ['gateway'],
  [ObjectWriterServiceService.updateObject.path]: ['gateway'],
  [ObjectWriterServiceService.deleteObject.path]: ['gateway'],
  [ObjectWriterServiceService.applyChanges.path]: ['gateway'],
  [ChangeFeedServiceService.watch.path]: ['gateway', 'search'],
};
