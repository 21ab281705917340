import {
  type Notification,
  NotificationSection,
  type NotifiedChange,
  NotifiedOperation,
} from '@cadastre/proto/objects';
import { structuredPatch } from 'diff';

/** What mails say about this registry. */
export interface Registry {
  readonly name: string;
  /** Its public URL, without a final slash; undefined when mails have no links. */
  readonly baseUrl: string | undefined;
}

/** Differences beyond this many lines are not computed: the effort grows with their square. */
const maxDifferentLines = 300;
const width = 80;
const sectionLine = '~'.repeat(72);

const introductions: readonly (readonly [NotificationSection, string])[] = [
  [
    NotificationSection.NOTIFICATION_SECTION_REFUSED,
    'Some changes were REFUSED, because the request had no authority for them.\n' +
      'You are told because you maintain these objects.',
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

/** Whether the mail tells of refused changes. */
export function tellsOfRefusals({ changes }: Pick<Notification, 'changes'>): boolean {
  return changes.some(({ section }) => section === NotificationSection.NOTIFICATION_SECTION_REFUSED);
}

/** The text of a mail. The words in capitals are those of the RIPE Database, because programs look for them. */
export function bodyOf(notification: Notification, registry: Registry, unsubscribeLink: string | undefined): string {
  const { id, source, instant, changedBy, replyTo, changes } = notification;
  const facts = [
    ['Changed by', changedBy],
    ...keyCertLinks(changedBy, source, registry),
    ['Source', source],
    ['Date/Time', instant === undefined ? '' : `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['Notification', String(id)],
  ].filter(([, value]) => value !== '');
  const parts = introductions.flatMap(([section, introduction]) => {
    const told = changes.filter((change) => change.section === section);
    const entries = told.map((change) => `---\n${entryOf(change, source, registry)}`);
    return told.length === 0 ? [] : [`${sectionLine}\n${introduction}\n\n${entries.join('\n')}`];
  });
  return [
    `This is an automatic message of the ${registry.name} database.`,
    replyTo === '' ? 'Replies do not reach the person who made the request.' : 'A reply goes to who made the request.',
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`),
    '',
    ...parts,
    sectionLine,
    ...(unsubscribeLink === undefined ? [] : [`To get no more of these messages: ${unsubscribeLink}`]),
    ...(registry.baseUrl === undefined ? [] : [`The ${registry.name} database: ${registry.baseUrl}/`]),
    '',
  ].join('\n');
}

/** Where the key-certs are that objects names as the caller's. */
function keyCertLinks(changedBy: string, source: string, { baseUrl }: Registry): [string, string][] {
  const names = changedBy.split(', ').filter((name) => /^(?:PGPKEY-[0-9A-F]{8}|X509-\d+)$/.test(name));
  return baseUrl === undefined ? [] : names.map((name) => ['Key', `${baseUrl}/${source}/key-cert/${name}`]);
}

function entryOf(change: NotifiedChange, source: string, registry: Registry): string {
  const { section, operation, type, key, textBefore, textAfter, reason } = change;
  const isRefused = section === NotificationSection.NOTIFICATION_SECTION_REFUSED;
  const word = words[operation] ?? words[NotifiedOperation.NOTIFIED_OPERATION_MODIFY]!;
  const heading = isRefused ? `${word.wanted} REQUESTED FOR:` : `OBJECT BELOW ${word.done}:`;
  const texts =
    textBefore === '' && textAfter === ''
      ? `${type} ${key}\nThe texts are too large for this message.\n`
      : textsOf(operation, isRefused, textBefore, textAfter);
  const why = reason === '' ? '' : `\n${foldedReason(reason)}`;
  return `${heading}\n\n${texts}${why}${previousVersion(change, source, registry)}`;
}

const words: { readonly [operation in NotifiedOperation]?: { readonly done: string; readonly wanted: string } } = {
  [NotifiedOperation.NOTIFIED_OPERATION_CREATE]: { done: 'CREATED', wanted: 'CREATE' },
  [NotifiedOperation.NOTIFIED_OPERATION_MODIFY]: { done: 'MODIFIED', wanted: 'MODIFY' },
  [NotifiedOperation.NOTIFIED_OPERATION_DELETE]: { done: 'DELETED', wanted: 'DELETE' },
};

function textsOf(operation: NotifiedOperation, isRefused: boolean, before: string, after: string): string {
  if (operation === NotifiedOperation.NOTIFIED_OPERATION_CREATE) return block(after);
  if (operation === NotifiedOperation.NOTIFIED_OPERATION_DELETE) return block(before);
  return isRefused
    ? `${block(before)}\nOBJECT MODIFICATION REQUESTED:\n\n${block(diffOf(before, after))}`
    : `${block(diffOf(before, after))}\nTHIS IS THE NEW VERSION OF THE OBJECT:\n\n${block(after)}`;
}

function block(text: string): string {
  return `>>>>>\n${text}<<<<<\n`;
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
  const lines: string[] = [];
  for (const word of reason.split(' ').flatMap((one) => one.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [])) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return `***Info:    ${lines.join(`\n${' '.repeat(12)}`)}\n`;
}

/** How to see the state before; past versions of persons and roles have nothing to show. */
function previousVersion(
  { operation, type, key, revisionBefore, section }: NotifiedChange,
  source: string,
  o: Registry,
) {
  const isModified = operation === NotifiedOperation.NOTIFIED_OPERATION_MODIFY;
  const isRefused = section === NotificationSection.NOTIFICATION_SECTION_REFUSED;
  if (!isModified || isRefused || o.baseUrl === undefined || type === 'person' || type === 'role') return '';
  const path = [source, type, key].map(encodeURIComponent).join('/');
  return `\nThe previous version: ${o.baseUrl}/${path}/versions/${revisionBefore}\n`;
}
