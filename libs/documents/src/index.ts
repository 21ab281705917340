/** Objects as the documents of the REST interface show them. */
export * from './object-entry.js';
export * from './object-json.js';
