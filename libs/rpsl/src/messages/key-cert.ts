import { error, warning } from '../message.js';

/** Keys and certificates (rules G-KEYCERT-*). */
export const keyCertMessages = {
  keyCertMissing: (name: string) => warning('The key-cert object %s does not exist', [name]),
  keyCertUnreadable: (name: string) =>
    warning('The public key data held in the key-cert object %s has syntax errors', [name]),
  pgpKeyExpired: (key: string) => error('Public key in keycert %s has expired', [key]),
  pgpKeyRevoked: (key: string) => error('Public key in keycert %s is revoked', [key]),
  keyTooShort: (algorithm: string, bits: number, minimum: number) =>
    error('%s public key is %d bits which is less than the minimum %d', [algorithm, bits, minimum]),
  certificateExpired: (key: string) => error('Certificate in keycert %s has expired', [key]),
  certificateNotYetValid: (key: string) => error('Certificate in keycert %s is not yet valid', [key]),
  weakHash: (key: string, algorithm: string) =>
    error('Certificate in keycert %s uses a weak hash algorithm %s', [key, algorithm]),
};
