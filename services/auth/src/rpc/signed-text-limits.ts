import { ServiceError } from '@cadastre/service';
import { messages } from '../domain/messages.js';

const maxTextOctets = 1_048_576;
const maxKeys = 20;

/** Throws when a signed text is too large to be looked at. */
export function limitSignedText(signedText: Uint8Array): void {
  if (signedText.length > maxTextOctets)
    throw new ServiceError('invalid', [messages.signedTextTooLarge(maxTextOctets)]);
}

/** Throws when there are too many keys to be tried. */
export function limitSigningKeys(keys: string[]): void {
  if (keys.length > maxKeys) throw new ServiceError('invalid', [messages.tooManySigningKeys(maxKeys)]);
}
