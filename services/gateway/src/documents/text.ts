import { type ObjectEntry, severityName } from '@cadastre/documents';
import { type Message, Severity } from '@cadastre/proto/registry';
import { commentText } from '@cadastre/query/comment-text';
import { formatMessage } from '@cadastre/service/errors';
import type { Head, Tail, Writer } from './whois-resources.js';
import type { GeoEntry, Geolocation, LimitList, VersionList } from './whois-resources-schema.js';

/**
 * Writes plain text: objects as RPSL, lists as tables, messages in one of two forms of the RIPE Database. With objects,
 * it shows only errors, as comments at the end.
 */
export function createTextWriter(): Writer {
  let head: Head = {};
  let hasObjects = false;
  let messages: readonly Message[] = [];
  return {
    open: (given) => {
      head = given;
      return headText(given);
    },
    object: (entry) => {
      hasObjects = true;
      return objectText(entry);
    },
    join: () => {
      hasObjects = true;
      return '';
    },
    messages: (list) => {
      messages = list;
      return '';
    },
    close: (tail) => {
      if (hasObjects) return tailText(tail) + commentsText(messages);
      return (messages.length > 0 ? messagesText(messages, head, tail) : '') + tailText(tail);
    },
  };
}

function headText(head: Head): string {
  const templates = (head.templates ?? []).map((template) => template.text);
  const sources = (head.sources ?? []).map((source) => textLine('source', source.name));
  const grsSources = (head.grsSources ?? []).map((source) => textLine('grs-source', source.name));
  return [
    ...templates,
    ...sources,
    ...grsSources,
    head.geolocation ? geolocationText(head.geolocation) : '',
    head.limits ? limitsText(head.limits) : '',
  ].join('');
}

/** The location as attributes of an object. */
function geolocationText({ location = [], language = [], geofeed = [] }: Geolocation): string {
  const named = (name: string) => (one: GeoEntry) => textLine(name, one.value);
  return [...location.map(named('geoloc')), ...language.map(named('language')), ...geofeed.map(named('geofeed'))].join(
    '',
  );
}

function limitsText({ client, limit }: LimitList): string {
  const lines = limit.map(({ name, most, used, resets }) => {
    return `${`${name}:`.padEnd(21)}${used} of ${most}${resets === undefined ? '' : ` until ${resets}`}\n`;
  });
  return `${'client:'.padEnd(21)}${client}\n${lines.join('')}`;
}

/** A name and a value, aligned as an attribute of an object. */
export function textLine(name: string, value: string): string {
  return `${`${name}:`.padEnd(16)}${value}\n`;
}

/** An empty line ends each object, but not a single version. Messages about it come before it, as comments. */
function objectText(entry: ObjectEntry): string {
  const comments = (entry.messages ?? []).map((message) => `${commentText(message)}\n`).join('');
  return comments + (entry.version === undefined ? `${entry.text}\n` : entry.text);
}

function tailText(tail: Tail): string {
  return tail.versions ? versionsText(tail.versions) : '';
}

function versionsText(list: VersionList): string {
  const rows = list.version.map(
    ({ revision, date, operation, reason }) =>
      `${String(revision).padEnd(5)} ${date.padEnd(21)} ${reason ? `${operation.padEnd(8)}${reason}` : operation}\n`,
  );
  const title = `Version history for ${list.type.toUpperCase()} object "${list.key}"\n\n`;
  return `${title}rev#  Date              Op.    \n${rows.join('')}`;
}

/** The reason why a result ended early. */
function commentsText(messages: readonly Message[]): string {
  const errors = messages.filter(({ severity }) => severity === Severity.SEVERITY_ERROR);
  return errors.map(commentText).join('');
}

function messagesText(messages: readonly Message[], head: Head, tail: Tail): string {
  return isNotFound(messages) ? notFoundText(messages, head, tail) : formattedText(messages, tail);
}

function isNotFound(messages: readonly Message[]): boolean {
  return messages[0]?.text.startsWith('ERROR:101:') ?? false;
}

/** Messages of a search without result: templates with their arguments below. */
function notFoundText(messages: readonly Message[], head: Head, tail: Tail): string {
  const texts = messages.map(
    ({ severity, text, args }) =>
      `Severity: ${severityName(severity)}\nText: ${text}${args.length === 0 ? '' : `[${args.join(', ')}]`}\n`,
  );
  return `${head.link ?? ''}\n${texts.join('')}${tail.terms ?? ''}\n`;
}

function formattedText(messages: readonly Message[], tail: Tail): string {
  const texts = messages.map(
    (message) => `Severity: ${severityName(message.severity)}\nText: ${formatMessage(message)}\n`,
  );
  return `${texts.join('')}${tail.terms === undefined ? '' : `locator: ${tail.terms}`}`;
}
