import { severityName } from '@cadastre/documents';
import type { Message } from '@cadastre/proto/registry';
import { type Attribute, attributeText, parseObject, wrapWords } from '@cadastre/rpsl';
import { formatMessage } from '@cadastre/service';
import type { AppliedUpdate } from './apply-updates.js';

/** The content of an acknowledgement. */
interface Acknowledgement {
  /** Address of the client. */
  readonly host: string;
  readonly time: Date;
  readonly applied: readonly AppliedUpdate[];
  /** Paragraphs that are not objects. */
  readonly unreadable: readonly string[];
  /** Messages about the complete request. */
  readonly messages: readonly Message[];
  /** URL of the terms and conditions. */
  readonly terms: string;
  readonly version: string;
}

const rule = '~'.repeat(52);
const width = 80;
const indent = 12;

/** The report on a text of updates, in the layout of the RIPE Database. */
export function acknowledgementText(acknowledgement: Acknowledgement): string {
  const failed = acknowledgement.applied.filter(({ status }) => status >= 400);
  const succeeded = acknowledgement.applied.filter(({ status }) => status < 400);
  const sections = [
    ` - From-Host: ${acknowledgement.host}\n - Date/Time: ${timeText(acknowledgement.time)}\n`,
    summaryText(acknowledgement.applied.length, succeeded, failed),
    'DETAILED EXPLANATION:\n',
    messagesText(acknowledgement.messages),
    sectionText('The following object(s) were found to have ERRORS:\n', failed.map(failedText)),
    sectionText('The following object(s) were processed SUCCESSFULLY:\n', succeeded.map(succeededText)),
    sectionText(
      'The following paragraph(s) do not look like objects\nand were NOT PROCESSED:\n',
      acknowledgement.unreadable.map((paragraph) => `${paragraph}\n`),
    ),
    `${rule}\nTerms and conditions: ${acknowledgement.terms}\nCadastre ${acknowledgement.version}\n`,
  ];
  return sections.filter((section) => section !== '').join('\n');
}

/** Like "Sat Nov 21 11:17:25 2026", in UTC. */
function timeText(time: Date): string {
  const [, weekday, day, month, year, clock] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString()) ?? [];
  return `${weekday} ${month} ${day} ${clock} ${year}`;
}

function summaryText(found: number, succeeded: readonly AppliedUpdate[], failed: readonly AppliedUpdate[]): string {
  const line = (label: string, count: number, column: number) => `${`${label}:`.padEnd(column)}${count}\n`;
  const counts = (list: readonly AppliedUpdate[], actions: readonly AppliedUpdate['action'][]) =>
    actions.map((action) => {
      const label = action === 'No operation' ? 'No Operation' : action;
      return line(`  ${label}`, list.filter((one) => one.action === action).length, 18);
    });
  return [
    'SUMMARY OF UPDATE:\n\n',
    line('Number of objects found', found, 43),
    line('Number of objects processed successfully', succeeded.length, 43),
    ...counts(succeeded, ['Create', 'Modify', 'Delete', 'No operation']),
    line('Number of objects processed with errors', failed.length, 43),
    ...counts(failed, ['Create', 'Modify', 'Delete']),
  ].join('');
}

function sectionText(title: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : [`${rule}\n${title}`, ...parts.map((part) => `---\n${part}`)].join('\n');
}

function succeededText(applied: AppliedUpdate): string {
  const verdict = applied.action === 'No operation' ? 'No operation' : `${applied.action} SUCCEEDED`;
  return [headline(applied, verdict), messagesText(applied.messages)].filter(Boolean).join('\n');
}

function failedText(applied: AppliedUpdate): string {
  const attributes = attributesOf(applied).map((attribute) => {
    const text = attributeText(attribute);
    return { line: `${attribute.name}:${text}\n`, place: placeOf(attribute.name, text) };
  });
  const shown = new Set(attributes.map(({ place }) => place));
  const messagesAt = Map.groupBy(applied.messages, ({ attribute }) => {
    const place = attribute && placeOf(attribute.name, attribute.value);
    return place !== undefined && shown.has(place) ? place : undefined;
  });
  const lines = attributes.map(({ line, place }) => {
    const about = messagesText(messagesAt.get(place) ?? []);
    messagesAt.delete(place);
    return line + about;
  });
  const others = messagesText(messagesAt.get(undefined) ?? []);
  return [headline(applied, `${applied.action} FAILED`), lines.join(''), others].filter(Boolean).join('\n');
}

function headline({ update, result }: AppliedUpdate, verdict: string): string {
  const { object, key } = update;
  const shown = result?.object?.key || key?.shown || object.attributes[0]?.raw.trim() || '';
  return `${verdict}: [${object.type}] ${shown}\n`;
}

/** The object in the form of the objects service, because its messages refer to that, else as sent. */
function attributesOf({ update, result, action }: AppliedUpdate): readonly Attribute[] {
  // A refused deletion must not show the stored object.
  const parsed = action === 'Delete' || !result?.object ? undefined : parseObject(result.object.text);
  return parsed?.ok ? parsed.object.attributes : update.object.attributes;
}

/** Matches an attribute with the messages about it. */
function placeOf(name: string, value: string): string {
  return `${name}:${value.trim()}`;
}

function messagesText(list: readonly Message[]): string {
  return list.map(messageText).join('');
}

function messageText(message: Message): string {
  const lines = formatMessage(message).trimEnd().split('\n');
  const [first = '', ...more] = lines.flatMap((line) => wrapWords(line.split(' '), width - indent));
  const start = `***${severityName(message.severity)}:`.padEnd(indent);
  return [`${start}${first}`, ...more.map((line) => `${' '.repeat(indent)}${line}`)]
    .map((line) => `${line}\n`)
    .join('');
}
