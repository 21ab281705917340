import { error, info, type Place, warning } from '../message.js';

/** Templates of messages about accounts that do not exist. */
export const accountTexts = {
  unknown: 'No RIPE NCC Access Account found for %s',
  /** Its argument is the number of accounts. */
  manyUnknown: 'More than %d of the accounts do not exist',
} as const;

/** Existence and names of objects, and references to them. */
export const existenceMessages = {
  /** For lookups and queries that find nothing; like all messages of the query engine it ends with a newline. */
  noEntries: (sources: readonly string[]) =>
    error('ERROR:101: no entries found\n\nNo entries found in source %s.\n', [sources.join(',')]),
  alreadyExists: () => error('Enforced new keyword specified, but the object already exists in the database'),
  doesNotExist: (key: string) => error('Object %s does not exist in the database', [key]),
  deleteMismatch: (key: string) => error("Object %s doesn't match version in database", [key]),
  isReferenced: (type: string, key: string) => error('Object [%s] %s is referenced from other objects', [type, key]),
  identical: () => warning('Submitted object identical to database object'),
  dryRun: () => info('Dry-run performed, no changes to the database have been made'),
  unknownReference: (values: readonly string[], place: Place) =>
    error('Unknown object referenced %s', [values.join(',')], place),
  maintainerNotFound: (name: string) => error("The maintainer '%s' was not found in the database", [name]),
  selfReference: (place: Place) =>
    error('Self reference is not allowed for attribute type "%s"', [place.attribute.name], place),
  contactUnmaintained: (type: string, key: string) =>
    warning('Referenced %s object %s is missing mandatory attribute "%s:"', [type, key, 'mnt-by']),
  maintainerContactUnmaintained: (type: string, key: string, mntner: string) =>
    warning('Referenced %s object %s from %s: %s is missing mandatory attribute "%s:"', [
      type,
      key,
      'mntner',
      mntner,
      'mnt-by',
    ]),
  membershipNotSupported: (sets: readonly string[]) =>
    error('Membership claim is not supported by mbrs-by-ref: attribute of the referenced set %s', [
      `[${sets.join(', ')}]`,
    ]),
  membersByRefChanged: (members: readonly string[]) =>
    warning(
      'Changing mbrs-by-ref:  may cause updates to %s to fail, because the member-of: reference in %s is no longer protected',
      [`[${members.join(', ')}]`, `[${members.join(', ')}]`],
    ),
  reservedName: (name: string) => error("Reserved name '%s' used", [name.toLowerCase()]),
  reservedPrefix: (prefix: string, type: string) =>
    error("Names starting with '%s' are reserved for '%s'.", [prefix, type]),
  setParentNotFound: (name: string) => error('Parent object %s not found', [name]),
  accountsUnavailable: () => error('RIPE NCC Access server is unavailable'),
  noSuchAccount: (name: string, place: Place) => error(accountTexts.unknown, [name], place),
  manyUnknownAccounts: (maximum: number) => error(accountTexts.manyUnknown, [maximum]),
};
