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
export { document, ipNetwork, type Parts, referencedBy, relatedKey } from './document.js';
export * from './documents.js';
export { canonicalPath } from './paths.js';
export { type AdministrativeStatus, defaultPolicy, isAdministrative, type RdapPolicy } from './policy.js';
export type { Asked, Nested, Reference, Registry, Related, Relation, Stored } from './registry.js';
