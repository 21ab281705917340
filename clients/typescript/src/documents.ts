import type { components } from './interface.js';

type Schemas = components['schemas'];

/** The document of nearly all responses. */
export type WhoisResources = Schemas['WhoisResources'];
/** An object of the registry, as in responses. */
export type WhoisObject = Schemas['WhoisObject'];
/** An attribute of an object, as in responses. */
export type Attribute = Schemas['Attribute'];
/** An object to write. */
export type SubmittedObject = Schemas['SubmittedObject'];
/** An attribute to write. */
export type SubmittedAttribute = Schemas['SubmittedAttribute'];
/** A message about a request. */
export type Message = Schemas['Message'];
/** Name of an object type. */
export type ObjectType = WhoisObject['type'];
/** The template of an object type. */
export type Template = Schemas['Template'];
/** One update of an object. */
export type VersionEntry = Schemas['VersionEntry'];
/** An abuse contact. */
export type AbuseContact = Schemas['AbuseContact'];
/** The result of a bulk lookup for one resource. */
export type ResourceDescription = Schemas['ResourceDescription'];
/** An API key, without its secret. */
export type ApiKey = Schemas['ApiKeyDetails'];
/** A webhook, without its secret. */
export type Webhook = Schemas['Webhook'];
/** The properties of a new webhook. */
export type WebhookRequest = Schemas['WebhookRequest'];
/** An attempt to deliver an event to a webhook. */
export type WebhookAttempt = Schemas['WebhookAttempt'];
/** The content of a set. */
export type SetExpansion = Schemas['SetExpansion'];
/** The prefixes of a set, or what they leave out. */
export type SetPrefixes = Schemas['SetPrefixes'];
/** A set or a route that the prefixes of a set leave out. */
export type Omission = Schemas['Omission'];
/** A set of an expansion, with its direct members. */
export type ExpandedSet = Schemas['ExpandedSet'];
