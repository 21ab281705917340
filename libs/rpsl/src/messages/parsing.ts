import { error, warning } from '../message.js';

/** Why a text is not an object, and why an object has no key. */
export const parsingMessages = {
  shortNamesReplaced: () => warning('Short format attribute name(s) have been replaced.'),
  noKeyFound: () => error('No key found'),
  zeroSizedKey: () => error('Read zero sized key'),
  emptyObject: () => error('Object is empty'),
  invalidObjectType: (name: string) => error('Invalid object type: %s', [name]),
  keyAttributeMissing: (name: string, type: string) => error('No %s: found in %s', [name, type]),
  keyAttributeRepeated: (name: string, type: string) => error('Multiple %s: found in %s', [name, type]),
  keyAttributeEmpty: () => error('key attributes must have value'),
};
