import { type Message, Severity } from '@cadastre/proto/registry';
import { messages as registryMessages } from '@cadastre/rpsl';
import { failureMessage, wireMessage } from '@cadastre/service/errors';

/** The messages of this service. */
export const messages = {
  rejected: (): Message => wireMessage(registryMessages.wrongCredential()),
  endsSoon: (id: string, expires: Date): Message =>
    failureMessage(
      'API KeyId %s is due to expire on %s',
      [id, expires.toISOString().slice(0, 10)],
      Severity.SEVERITY_WARNING,
    ),
  badKeyName: (): Message => failureMessage('The name of an API key must have 1 to 80 printable characters'),
  badAccountName: (): Message => failureMessage('The name of an account must be an e-mail address'),
  badAccountId: (): Message => failureMessage('The subject of an account has 1 to 255 printable characters'),
  badMaintainer: (name: string): Message => failureMessage('"%s" is not the name of a maintainer', [name]),
  badExpiry: (): Message => failureMessage('An API key must end in the future and within one year'),
  accountRefused: (name: string): Message => failureMessage('The identity provider accepts no account "%s"', [name]),
  unknownAccount: (name: string): Message => failureMessage('There is no account "%s"', [name]),
  unknownKey: (id: string): Message => failureMessage('There is no API key "%s"', [id]),
  tooManyKeys: (max: number): Message => failureMessage('An account may have at most %d API keys', [max]),
  tooManyAccounts: (max: number): Message => failureMessage('A call may name at most %d accounts', [max]),
  manyAccounts: (): Message => failureMessage('The credentials belong to different accounts'),
  certificateExpired: (fingerprint: string): Message => wireMessage(registryMessages.certificateExpired(fingerprint)),
  certificateNotYetValid: (fingerprint: string): Message =>
    wireMessage(registryMessages.certificateNotYetValid(fingerprint)),
  noSignIn: (): Message => failureMessage('Sign-in is not available here'),
  signInFailed: (): Message => failureMessage('The sign-in failed or took too long: try again'),
  manySignIns: (): Message => failureMessage('Too many concurrent sign-ins: try again later'),
  badReturnPath: (): Message => failureMessage('The return path must be a path of the web application'),
  signedTextTooLarge: (octets: number, lines: number): Message =>
    wireMessage(registryMessages.signedTextTooLarge(octets, lines)),
  badSignatureHashes: (max: number): Message => failureMessage('A call needs 1 to %d signature hashes', [max]),
  tooManySigningKeys: (max: number): Message => failureMessage('A call may contain at most %d keys', [max]),
  badSignature: (): Message => wireMessage(registryMessages.wrongSignature()),
  notWhollySigned: (): Message => failureMessage('One signed block must contain the whole text'),
  unknownSigner: (id: string): Message => failureMessage('Unknown signing key "%s"', [id]),
  weakSignature: (algorithm: string): Message =>
    failureMessage('Signatures with the algorithm %s are not accepted', [algorithm]),
  publicKeyExpired: (name: string): Message => wireMessage(registryMessages.pgpKeyExpired(name)),
  publicKeyRevoked: (name: string): Message => wireMessage(registryMessages.pgpKeyRevoked(name)),
  noSigningTime: (): Message => failureMessage('The signature has no signing time'),
  signedTooEarly: (): Message => failureMessage('Message was signed more than one hour ago'),
  signedInFuture: (): Message => failureMessage('Message was signed more than five minutes in the future'),
  signatureUsed: (): Message => failureMessage('This signature was used before'),
  badBlockPrefix: (prefix: string): Message =>
    failureMessage(
      '"%s" cannot be blocked: give an address, an IPv4 prefix of /8 to /32 or an IPv6 prefix of /16 to /64',
      [prefix],
    ),
  badBlockReason: (): Message => failureMessage('The reason of a block must have 1 to 200 printable characters'),
  badOperatorName: (): Message => failureMessage('The name of the operator must have 1 to 80 printable characters'),
  blockEndsInPast: (): Message => failureMessage('A block must end in the future'),
  notBlocked: (prefix: string): Message => failureMessage('%s is not blocked', [prefix]),
  identityProviderAway: (): Message => failureMessage('The identity provider does not respond'),
};
