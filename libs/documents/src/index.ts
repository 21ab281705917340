/** Objects as the documents of the REST interface show them. */
export {
  type AbuseContactEntry,
  type AttributeEntry,
  type ContactTypes,
  contactTypesOf,
  foundEntry,
  type ObjectEntry,
  type ObjectView,
  objectEntry,
} from './object-entry.js';
export {
  jsonAbuseContact,
  jsonLocator,
  type Members,
  messageList,
  objectJson,
  severityName,
} from './object-json.js';
