export { createClient, type RegistryClient, type RegistryOptions } from './create-client.js';
export type {
  AbuseContact,
  ApiKey,
  Attribute,
  ExpandedSet,
  Message,
  ObjectType,
  Omission,
  ResourceDescription,
  SetExpansion,
  SetPrefixes,
  SubmittedAttribute,
  SubmittedObject,
  Template,
  VersionEntry,
  Webhook,
  WebhookAttempt,
  WebhookRequest,
  WhoisObject,
  WhoisResources,
} from './documents.js';
export type { components, operations, paths } from './interface.js';
export { type MessageBody, messagesOf, messageText } from './messages.js';
