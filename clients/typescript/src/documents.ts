import type { components } from './interface.js';

type Schemas = components['schemas'];

/** The document of nearly all answers. */
export type WhoisResources = Schemas['WhoisResources'];
/** An object of the registry, as answers show it. */
export type WhoisObject = Schemas['WhoisObject'];
/** An attribute of an object, as answers show it. */
export type Attribute = Schemas['Attribute'];
/** An object to be written. */
export type SubmittedObject = Schemas['SubmittedObject'];
/** An attribute to be written. */
export type SubmittedAttribute = Schemas['SubmittedAttribute'];
/** What there is to say about a request. */
export type Message = Schemas['Message'];
/** Name of an object type. */
export type ObjectType = WhoisObject['type'];
/** The template of an object type. */
export type Template = Schemas['Template'];
/** One update of an object. */
export type VersionEntry = Schemas['VersionEntry'];
/** Whom to write to about abuse. */
export type AbuseContact = Schemas['AbuseContact'];
/** An API key, without its secret. */
export type ApiKey = Schemas['ApiKey'];
