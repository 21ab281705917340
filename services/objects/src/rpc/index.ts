import {
  BulkLoadServiceService,
  ChangeFeedServiceService,
  EmailMarkServiceService,
  HierarchyServiceService,
  HistoryServiceService,
  MirrorWriteServiceService,
  NotificationServiceService,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
  TagServiceService,
  WebhookServiceService,
} from '@cadastre/proto/objects';
import { type AllowedCallers, type Handlers, type Implementation, implement } from '@cadastre/service';
import type { Context } from '../context.js';
import { batchLookup } from './batch-lookup.js';
import { batchLookupPast } from './batch-lookup-past.js';
import { listChanges, watch } from './change-feed.js';
import { findKeyCerts, listOwnMaintainers } from './credentials.js';
import { emailMarkHandlers } from './email-marks.js';
import { eraseHistory } from './erase-history.js';
import { findPast } from './find-past.js';
import { batchFindEnclosing, listContained } from './hierarchy.js';
import { listReferences } from './list-references.js';
import { applyMirrorChanges, load } from './load.js';
import { notificationHandlers } from './notifications.js';
import { exportObjects, listSources } from './sources.js';
import { describeSpace, listOwnSpace } from './space.js';
import { tagHandlers } from './tags.js';
import { getVersion, listVersions } from './versions.js';
import { webhookHandlers } from './webhooks.js';
import { writerHandlers } from './writes.js';

/** All gRPC services of this process. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(ObjectReaderServiceService, readerHandlers(context)),
    implement(ObjectWriterServiceService, writerHandlers(context)),
    implement(HierarchyServiceService, hierarchyHandlers(context)),
    implement(ChangeFeedServiceService, feedHandlers(context)),
    implement(BulkLoadServiceService, loadHandlers(context)),
    implement(MirrorWriteServiceService, mirrorHandlers(context)),
    implement(TagServiceService, tagHandlers(context)),
    implement(HistoryServiceService, historyHandlers(context)),
    implement(EmailMarkServiceService, emailMarkHandlers(context)),
    implement(NotificationServiceService, notificationHandlers(context)),
    implement(WebhookServiceService, webhookHandlers(context)),
  ];
}

/** Which of our services may call which method. Only the operator's own systems may call the others. */
export const allowedCallers: AllowedCallers = {
  [ObjectReaderServiceService.batchLookup.path]: ['gateway', 'search', 'events', 'whois'],
  [ObjectReaderServiceService.batchLookupPast.path]: ['gateway', 'search', 'whois', 'mirror'],
  [ObjectReaderServiceService.findPast.path]: ['search'],
  [ObjectReaderServiceService.listVersions.path]: ['gateway', 'whois'],
  [ObjectReaderServiceService.getVersion.path]: ['gateway', 'whois'],
  [ObjectReaderServiceService.listOwnMaintainers.path]: ['gateway'],
  [ObjectReaderServiceService.findKeyCerts.path]: ['gateway'],
  [ObjectReaderServiceService.listSources.path]: ['gateway', 'search', 'events', 'whois', 'mirror'],
  [ObjectReaderServiceService.exportObjects.path]: ['search', 'whois', 'mirror'],
  [HierarchyServiceService.batchFindEnclosing.path]: ['gateway', 'search'],
  [HierarchyServiceService.describeSpace.path]: ['gateway'],
  [HierarchyServiceService.listOwnSpace.path]: ['gateway'],
  [ObjectWriterServiceService.createObject.path]: ['gateway'],
  [ObjectWriterServiceService.updateObject.path]: ['gateway'],
  [ObjectWriterServiceService.deleteObject.path]: ['gateway'],
  [ObjectWriterServiceService.applyChanges.path]: ['gateway'],
  [ObjectWriterServiceService.write.path]: ['gateway'],
  [ObjectWriterServiceService.getStorageUse.path]: ['gateway'],
  [ChangeFeedServiceService.watch.path]: ['gateway', 'search', 'whois', 'mirror'],
  [ChangeFeedServiceService.listChanges.path]: ['gateway', 'events'],
  [BulkLoadServiceService.load.path]: ['mirror'],
  [MirrorWriteServiceService.applyMirrorChanges.path]: ['mirror'],
  [NotificationServiceService.claimNotifications.path]: ['events'],
  [NotificationServiceService.settleNotifications.path]: ['events'],
  [NotificationServiceService.unsubscribe.path]: ['gateway'],
  [NotificationServiceService.confirm.path]: ['gateway'],
  [WebhookServiceService.createWebhook.path]: ['gateway'],
  [WebhookServiceService.listWebhooks.path]: ['gateway'],
  [WebhookServiceService.getWebhook.path]: ['gateway'],
  [WebhookServiceService.updateWebhook.path]: ['gateway'],
  [WebhookServiceService.deleteWebhook.path]: ['gateway'],
  [WebhookServiceService.rotateWebhookSecret.path]: ['gateway'],
  [WebhookServiceService.listWebhookAttempts.path]: ['gateway'],
  [WebhookServiceService.resendWebhook.path]: ['gateway'],
  [WebhookServiceService.claimWebhooks.path]: ['events'],
  [WebhookServiceService.settleWebhooks.path]: ['events'],
};

export function readerHandlers(context: Context): Handlers<typeof ObjectReaderServiceService> {
  return {
    batchLookup: batchLookup(context),
    batchLookupPast: batchLookupPast(context),
    findPast: findPast(context),
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
  return {
    batchFindEnclosing: batchFindEnclosing(context),
    listContained: listContained(context),
    describeSpace: describeSpace(context),
    listOwnSpace: listOwnSpace(context),
  };
}

export function feedHandlers(context: Context): Handlers<typeof ChangeFeedServiceService> {
  return { watch: watch(context), listChanges: listChanges(context) };
}

export function loadHandlers(context: Context): Handlers<typeof BulkLoadServiceService> {
  return { load: load(context) };
}

export function mirrorHandlers(context: Context): Handlers<typeof MirrorWriteServiceService> {
  return { applyMirrorChanges: applyMirrorChanges(context) };
}

export function historyHandlers(context: Context): Handlers<typeof HistoryServiceService> {
  return { eraseHistory: eraseHistory(context) };
}
