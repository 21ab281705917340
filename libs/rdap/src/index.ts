export {
  answer,
  errorAnswer,
  type HistoryVersion,
  helpAnswer,
  historyAnswer,
  type SearchKind,
  type SearchPage,
  searchAnswer,
} from './answers.js';
export { Delegations, redirectFiles } from './bootstrap/delegated.js';
export { type BootstrapName, bootstrapNames, readBootstrapFile } from './bootstrap/files.js';
export { bootstrapFiles, bootstrapTypes } from './bootstrap/own-space.js';
export { createServiceTable, type ServiceTable, type Sought } from './bootstrap/service-table.js';
export { entityTypes, referencedBy, relatedKey } from './contacts.js';
export { canonicalPath, document, type Parts } from './document.js';
export * from './documents.js';
export { type HistoryPage, historyPageJson } from './history-page.js';
export { contactCard } from './jcard.js';
export { ipNetwork, type NetworkParts } from './network.js';
export { pageSize, pagingMetadata, type RequestedPage } from './paging.js';
export { type AdministrativeStatus, defaultPolicy, isAdministrative, type RdapPolicy } from './policy.js';
export {
  type Nested,
  type Reference,
  type Registry,
  type Related,
  type Relation,
  type Requested,
  type Stored,
  storedOf,
} from './registry.js';
export { nearestOf, relationsOf, strictlyAround, topOf } from './relations.js';
