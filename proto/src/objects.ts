/** Contracts of the objects service. */
export * from './gen/cadastre/objects/v1/email_marks.js';
export * from './gen/cadastre/objects/v1/feed.js';
export * from './gen/cadastre/objects/v1/hierarchy.js';
export * from './gen/cadastre/objects/v1/history.js';
export * from './gen/cadastre/objects/v1/load.js';
export * from './gen/cadastre/objects/v1/mirror.js';
export * from './gen/cadastre/objects/v1/notifications.js';
export * from './gen/cadastre/objects/v1/reader.js';
export * from './gen/cadastre/objects/v1/tags.js';
export * from './gen/cadastre/objects/v1/webhooks.js';
export * from './gen/cadastre/objects/v1/writer.js';
