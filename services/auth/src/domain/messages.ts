import { type Message, Severity } from '@cadastre/proto/registry';
import { failureMessage } from '@cadastre/service';

/** Everything that this service says. */
export const messages = {
  rejected: (): Message => failureMessage('The credential is wrong, expired or revoked'),
  endsSoon: (id: string, expires: Date): Message =>
    failureMessage(
      'API KeyId %s is due to expire on %s',
      [id, expires.toISOString().slice(0, 10)],
      Severity.SEVERITY_WARNING,
    ),
  badKeyName: (): Message => failureMessage('The name of an API key must have 1 to 80 printable characters'),
  badAccountName: (): Message => failureMessage('The name of an account must be an e-mail address'),
  badMaintainer: (name: string): Message => failureMessage('"%s" is not the name of a maintainer', [name]),
  badExpiry: (): Message => failureMessage('An API key must end in the future and within one year'),
  unknownAccount: (name: string): Message => failureMessage('There is no account "%s"', [name]),
  unknownKey: (id: string): Message => failureMessage('There is no API key "%s"', [id]),
  tooManyKeys: (most: number): Message => failureMessage('An account may have at most %d API keys', [String(most)]),
  tooManyAccounts: (most: number): Message => failureMessage('At most %d accounts at once', [String(most)]),
  directoryAway: (): Message => failureMessage('The identity provider does not answer'),
};
