import { timeText } from '@cadastre/changes';
import { type Message, messages } from '@cadastre/rpsl';

function error(text: string, ...args: string[]): Message {
  return { severity: 'error', text, args };
}

/** Errors of a request before its object is checked. Texts that clients know are those of the RIPE Database. */
export const requestMessages = {
  invalidSource: messages.invalidSource,
  invalidType: messages.invalidType,
  noAttributes: messages.noAttributes,
  notFound: messages.notFound,
  accountsUnavailable: messages.accountsUnavailable,
  typeDiffers: (type: string) =>
    error('Object type specified in URI (%s) does not match the WhoisResources contents', type),
  typeAndKeyDiffer: (type: string, key: string) =>
    error('Object type and key specified in URI (%s: %s) do not match the WhoisResources contents', type, key),
  keyDiffers: (key: string) => error('Primary key (%s) cannot be modified.', key),
  controlInReason: () => error('The reason contains control characters'),
  /** Part of every refusal for missing authority (decision W5). */
  credentialsTried: (kinds: readonly string[]): Message => ({
    severity: 'info',
    text: 'Credentials tried: %s',
    args: [kinds.length === 0 ? 'none' : [...new Set(kinds)].join(', ')],
  }),
  changedSince: (revision: number, instant: Date) =>
    error('The object has changed since it was read: it has version %d of %s now', String(revision), timeText(instant)),
  dayQuota: (who: string, limit: number, used: number, bytes: number) =>
    error(
      '%s may store %s bytes of objects in a day and has stored %s: this write needs %s. The day ends at midnight UTC',
      ...[who, limit, used, bytes].map(String),
    ),
  mntnerQuota: (mntner: string, limit: number, used: number, bytes: number) =>
    error(
      '%s may store %s bytes of objects with their history and has stored %s: this write needs %s. Ask the registry for more',
      ...[mntner, limit, used, bytes].map(String),
    ),
  tooManyNewAddresses: (count: number, left: number, bound: number) =>
    error(
      'The write names %d e-mail addresses to notify that are new to this registry; this account may name %d more until midnight UTC, of %d a day',
      String(count),
      String(left),
      String(bound),
    ),
  changedTwice: (type: string, key: string) => error('Object [%s] %s is changed more than once', type, key),
};
