import {
  type Notification,
  NotificationSection,
  type NotifiedChange,
  NotifiedOperation,
} from '@cadastre/proto/objects';
import { wrapWords } from '@cadastre/rpsl';
import { structuredPatch } from 'diff';

/** The facts about this registry in mails. */
export interface Registry {
  readonly name: string;
  /** Its public URL, without a final slash; undefined when mails have no links. */
  readonly baseUrl: string | undefined;
  readonly termsUrl: string;
  /** Version of this software. */
  readonly version: string;
}

/** Differences beyond this many lines are not computed: the effort grows with their square. */
const maxDifferentLines = 300;
/** Characters of one text, and of all texts of a mail. Encoded, a mail has at most 5 MB. */
const maxText = 100_000;
const maxTexts = 1_000_000;
const width = 80;
const sectionLine = '~'.repeat(72);

const introductions: readonly (readonly [NotificationSection, string])[] = [
  [
    NotificationSection.NOTIFICATION_SECTION_REFUSED,
    'Some changes were REFUSED, because the request had no authority for them.\n' +
      'You get this message because you maintain these objects.',
  ],
  [
    NotificationSection.NOTIFICATION_SECTION_CHANGED,
    'Some objects in which you are listed for notifications were changed.',
  ],
  [
    NotificationSection.NOTIFICATION_SECTION_REFERENCED,
    'References to objects in which you are listed for notifications were added or\nremoved.',
  ],
];

/** Whether the mail reports refused changes. */
export function hasRefusals({ changes }: Notification): boolean {
  return changes.some(({ section }) => section === NotificationSection.NOTIFICATION_SECTION_REFUSED);
}

/** The text of a mail. The words in capitals are those of the RIPE Database, because programs search for them. */
export function bodyOf(notification: Notification, registry: Registry, unsubscribeLink: string | undefined): string {
  let left = maxTexts;
  const entries = new Map(
    notification.changes.map((change) => {
      const entry = entryOf(change, notification.source, registry, left);
      left -= entry.length;
      return [change, entry];
    }),
  );
  return [
    `This is an automatic message of the ${registry.name} database.`,
    notification.replyTo === ''
      ? 'Replies do not reach the person who made the request.'
      : 'A reply goes to who made the request.',
    '',
    requestOf(notification, registry, entries),
    sectionLine,
    ...(unsubscribeLink === undefined ? [] : [`To get no more of these messages: ${unsubscribeLink}`]),
    ...(registry.baseUrl === undefined
      ? []
      : [`The ${registry.name} database: ${registry.baseUrl}/`, `Terms and conditions: ${registry.termsUrl}`]),
    `Cadastre ${registry.version}`,
    '',
  ].join('\n');
}

/** The part of a mail about the request, given the text of each change. */
function requestOf(request: Notification, registry: Registry, entries: ReadonlyMap<NotifiedChange, string>): string {
  const { id, source, instant, changedBy, clientAddress = '', changes } = request;
  const facts = [
    ['From-Host', clientAddress],
    ['Changed by', changedBy],
    ...keyCertLinks(changedBy, source, registry),
    ['Source', source],
    ['Date/Time', instant === undefined ? '' : `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['Notification', String(id)],
  ].filter(([, value]) => value !== '');
  const sections = introductions.flatMap(([section, introduction]) => {
    const listed = changes.filter((change) => change.section === section);
    const texts = listed.map((change) => `---\n${entries.get(change)}`);
    return listed.length === 0 ? [] : [`${sectionLine}\n${introduction}\n\n${texts.join('\n')}`];
  });
  return [...facts.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`), '', ...sections].join('\n');
}

/** Links to the key-certs that objects name as the caller's. */
function keyCertLinks(changedBy: string, source: string, { baseUrl }: Registry): [string, string][] {
  const names = changedBy.split(', ').filter((name) => /^(?:PGPKEY-[0-9A-F]{8}|X509-\d+)$/.test(name));
  return baseUrl === undefined ? [] : names.map((name) => ['Key', `${baseUrl}/${source}/key-cert/${name}`]);
}

/** The text of a change; without the states of the object when these have more than `left` characters. */
function entryOf(change: NotifiedChange, source: string, registry: Registry, left: number): string {
  const { section, operation, type, key, reason } = change;
  const isRefused = section === NotificationSection.NOTIFICATION_SECTION_REFUSED;
  const word = words[operation] ?? words[NotifiedOperation.NOTIFIED_OPERATION_MODIFY]!;
  const heading = isRefused ? `${word.wanted} REQUESTED FOR:` : `OBJECT BELOW ${word.done}:`;
  const link = linkOf(registry, source, type, key);
  const texts = textsOf(change, isRefused, link);
  const shown = texts === '' || texts.length > left ? `${type} ${key}\n${tooLarge}${link && `: ${link}`}\n` : texts;
  const why = reason === '' ? '' : `\n${foldedReason(reason)}`;
  return `${heading}\n\n${shown}${why}${previousVersion(change, source, registry)}`;
}

const tooLarge = 'The texts are too large for this message';

const words: { readonly [operation in NotifiedOperation]?: { readonly done: string; readonly wanted: string } } = {
  [NotifiedOperation.NOTIFIED_OPERATION_CREATE]: { done: 'CREATED', wanted: 'CREATE' },
  [NotifiedOperation.NOTIFIED_OPERATION_MODIFY]: { done: 'MODIFIED', wanted: 'MODIFY' },
  [NotifiedOperation.NOTIFIED_OPERATION_DELETE]: { done: 'DELETED', wanted: 'DELETE' },
};

/** The states of the object; empty when they are too large. `link` shows the object, or is empty. */
function textsOf({ operation, textBefore, textAfter }: NotifiedChange, isRefused: boolean, link: string): string {
  if (textBefore === '' && textAfter === '') return '';
  if (operation === NotifiedOperation.NOTIFIED_OPERATION_CREATE) return block(textAfter, link);
  if (operation === NotifiedOperation.NOTIFIED_OPERATION_DELETE) return block(textBefore, '');
  const diff = block(diffOf(textBefore, textAfter), link);
  return isRefused
    ? `${block(textBefore, link)}\nOBJECT MODIFICATION REQUESTED:\n\n${diff}`
    : `${diff}\nTHIS IS THE NEW VERSION OF THE OBJECT:\n\n${block(textAfter, link)}`;
}

/** A text between its marks; a long one ends with a whole line before the bound. */
function block(text: string, link: string): string {
  if (text.length <= maxText) return `>>>>>\n${text}<<<<<\n`;
  const end = text.lastIndexOf('\n', maxText - 1) + 1 || maxText;
  return `>>>>>\n${text.slice(0, end)}<<<<<\n(cut after ${end} of ${text.length} characters${link && `: ${link}`})\n`;
}

/** The URL of the object; empty without a public URL. */
function linkOf({ baseUrl }: Registry, ...path: readonly string[]): string {
  return baseUrl === undefined ? '' : [baseUrl, ...path.map(encodeURIComponent)].join('/');
}

/** The unified difference with one line of context, without the names of files. */
function diffOf(before: string, after: string): string {
  const patch = structuredPatch('', '', before, after, '', '', { context: 1, maxEditLength: maxDifferentLines });
  if (patch === undefined) return '(too many differences)\n';
  if (patch.hunks.length === 0) return '(only hidden values are different)\n';
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines, ''].join('\n'),
    )
    .join('');
}

/** `***Info:    <reason>`, folded at 80 characters and indented by 12. */
function foldedReason(reason: string): string {
  const room = width - 12;
  const words = reason.split(' ').flatMap((one) => one.match(new RegExp(`.{1,${room}}`, 'gu')) ?? []);
  return `***Info:    ${wrapWords(words, room).join(`\n${' '.repeat(12)}`)}\n`;
}

/** How to see the previous state; past versions of persons and roles show nothing. */
function previousVersion(
  { operation, type, key, revisionBefore, section }: NotifiedChange,
  source: string,
  registry: Registry,
) {
  const isModified = operation === NotifiedOperation.NOTIFIED_OPERATION_MODIFY;
  const isRefused = section === NotificationSection.NOTIFICATION_SECTION_REFUSED;
  if (!isModified || isRefused || registry.baseUrl === undefined || type === 'person' || type === 'role') return '';
  return `\nThe previous version: ${linkOf(registry, source, type, key, 'versions', String(revisionBefore))}\n`;
}

/** Links for the answer of the owner of an address; undefined without a public URL of the registry. */
interface Links {
  readonly confirm: string | undefined;
  readonly unsubscribe: string | undefined;
}

/**
 * The text of a mail that requests the confirmation of an address. It contains nothing that the account which named the
 * address could choose: otherwise anyone could send texts to strangers.
 */
export function requestBodyOf(
  { id, source }: Notification,
  { name, baseUrl, termsUrl, version }: Registry,
  { confirm, unsubscribe }: Links,
): string {
  return [
    `This is an automatic message of the ${name} database.`,
    '',
    `An object of the source ${source} names this address. It wants to tell you by mail`,
    'when objects change.',
    '',
    ...(confirm === undefined || unsubscribe === undefined
      ? ['If you want these mails, ask the registry to confirm your address.']
      : [
          `If you want these mails, open this page and confirm:\n${confirm}`,
          '',
          'If you do not, do nothing: you get no changes, and this question at most once in',
          `30 days. To never get it again:\n${unsubscribe}`,
        ]),
    '',
    `${'Notification:'.padEnd(16)}${id}`,
    ...(baseUrl === undefined ? [] : [`The ${name} database: ${baseUrl}/`, `Terms and conditions: ${termsUrl}`]),
    `Cadastre ${version}`,
    '',
  ].join('\n');
}

/** The text of a test mail. */
export function testBodyOf({ name, baseUrl, version }: Registry): string {
  return [
    `This is an automatic message of the ${name} database.`,
    '',
    'An operator of the registry requested it, to see whether mails arrive. There is nothing',
    'that you need to do.',
    '',
    ...(baseUrl === undefined ? [] : [`The ${name} database: ${baseUrl}/`]),
    `Cadastre ${version}`,
    '',
  ].join('\n');
}
