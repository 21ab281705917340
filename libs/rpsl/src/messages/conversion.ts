import { error, info, type Place, warning } from '../message.js';

/** Values that the server changed or generated. */
export const conversionMessages = {
  valueConverted: (from: string, to: string, place: Place) => info('Value %s converted to %s', [from, to], place),
  continuationRemoved: (place: Place) =>
    info('Continuation lines are not allowed here and have been removed', [], place),
  keyComment: (place: Place) =>
    info('Please use the "remarks:" attribute instead of end of line comment on primary key', [], place),
  latin1Converted: (name: string, value: string, place: Place) =>
    warning('Attribute "%s:" has been converted to "%s"', [name, value], place),
  punycode: (place: Place) =>
    warning('Value changed due to conversion of IDN email address(es) into Punycode', [], place),
  generatedReplaced: (name: string) =>
    warning("Supplied attribute '%s' has been replaced with a generated value", [name]),
  noKey: () => error('The supplied object has no key'),
  multipleKeys: () => error('The supplied object has multiple keys'),
  invalidCertificate: (place: Place) => error('Invalid X509 Certificate', [], place),
};
