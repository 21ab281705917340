import { type Message, Severity } from '@cadastre/proto/registry';
import { failureMessage as messageOf } from '@cadastre/service';

function error(text: string, ...args: readonly (string | number)[]): Message {
  return messageOf(text, args);
}

function info(text: string, ...args: readonly (string | number)[]): Message {
  return messageOf(text, args, Severity.SEVERITY_INFO);
}

/** The messages of port 43 besides those of queries: codes and first lines are those of the RIPE Database. */
export const messages = {
  internalError: () => error('ERROR:100: internal software error\n\nThe query could not be answered. Try again later.'),
  unknownSource: (name: string) =>
    error('ERROR:102: unknown source\n\n"%s" is not a known source.\nUse "-q sources" to list known sources.', name),
  lineTooLong: (max: number) =>
    error('ERROR:107: input line too long\n\nInput exceeds the maximum line length of %s bytes.', max),
  resultTooLarge: (max: number) =>
    error(
      'ERROR:112: unsupported query\n\nA query returns at most %s objects, and there are more: use a narrower query.',
      max,
    ),
  versionTooHigh: (max: number) =>
    error('ERROR:117: version cannot exceed %s for this object\n\nVersions are numbered from 1.', max),
  denied: (client: string, reason: string) => error(`ERROR:201: access denied for %s\n\n${reason}`, client),
  noProxy: () => error('ERROR:203: you are not allowed to act as a proxy'),
  silent: () =>
    error('ERROR:305: connection has been closed\n\nThe connection has been closed after a period of inactivity.'),
  tooManyConnections: (max: number) =>
    error(
      'ERROR:306: connections exceeded\n\nNumber of connections from a single IP address has exceeded the maximum of %s.',
      max,
    ),
  converted: () => info('This query was converted into the ISO-8859-1 (Latin-1) character set.'),
  filtered: () =>
    info('Note: this output has been filtered.\n      To receive output for a database update, use the "-B" flag.'),
  onlyKeys: () =>
    info('Note: this output has been filtered.\n      Only primary keys and abuse contacts will be visible.'),
  noPersonal: () => info('Note: --no-personal means ALL personal data has been filtered from this output.'),
  relatedTo: (key: string) => info("Information related to '%s'", key),
  abuseContact: (key: string, email: string) => info("Abuse contact for '%s' is '%s'", key, email),
  suspectContact: (key: string, email: string, organisation: string) =>
    info(
      "Abuse contact for '%s' is '%s'\nAbuse-mailbox validation failed. Please refer to %s for further information.",
      key,
      email,
      organisation,
    ),
  validSyntax: (key: string) => info("'%s' has valid syntax", key),
  invalidSyntax: (key: string) => info("'%s' invalid syntax", key),
  noAbuseContact: (key: string) => info('No abuse contact registered for %s', key),
  olderVersions: (listed: number) => info('Only the newest %s versions are listed.', listed),
  versionsOf: (type: string, key: string) =>
    info(
      'Version history for %s object "%s"\nYou can use "--show-version rev#" to get an exact version of the object.',
      type,
      key,
    ),
  version: (o: { revision: number; isCurrent: boolean; key: string; operation: string; date: string }) =>
    info(
      `Version %s${o.isCurrent ? ' (current version)' : ''} of object "%s"\nThis version was a %s operation on %s\nYou can use "--list-versions" to get a list of versions for an object.`,
      o.revision,
      o.key,
      o.operation,
      o.date,
    ),
  difference: (before: number, after: number, key: string) =>
    info('Difference between version %s and %s of object "%s"', before, after, key),
};
