import { error, type Place } from '../message.js';

/** AUTO keys: placeholders that the server replaces by new keys. */
export const autoKeyMessages = {
  autoReferenceNotFound: (value: string, place: Place) => error('Reference "%s" not found', [value], place),
  autoReferenceInvalid: (type: string, key: string, place: Place) =>
    error('Invalid reference to [%s] %s', [type, key], place),
  autoKeyRepeated: (key: string, place: Place) =>
    error('Key %s already used (AUTO-nnn must be unique per update message)', [key], place),
  autoKeyRequired: (value: string, place: Place) =>
    error('Syntax error in %s (%s)', [value, 'must be AUTO-nnn for create'], place),
  handleTaken: (handle: string, place: Place) => error('The nic-hdl "%s" is not available', [handle], place),
  autoNotForPgp: (place: Place) => error('AUTO-nnn can only be used with X509 key-cert', [], place),
};
