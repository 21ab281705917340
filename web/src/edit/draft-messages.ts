import type { Message } from '../api/message.js';
import { isRoute } from '../object/address-space.js';
import { type Draft, printedValue, type Row } from './draft.js';

/** Messages by row, and the rest. */
export interface PlacedMessages {
  readonly byRow: ReadonlyMap<number, readonly Message[]>;
  readonly rest: readonly Message[];
}

/** Assigns messages to the rows of a draft: by name and value, or by name if only one row has it. */
export function placeMessages(messages: readonly Message[], rows: readonly Row[]): PlacedMessages {
  const byRow = new Map<number, Message[]>();
  const rest: Message[] = [];
  for (const message of messages) {
    const row = rowOf(message, rows);
    if (row === undefined) rest.push(message);
    else byRow.set(row.id, [...(byRow.get(row.id) ?? []), message]);
  }
  return { byRow, rest };
}

function rowOf({ attribute, text }: Message, rows: readonly Row[]): Row | undefined {
  // Only the text names a missing attribute: the message belongs to the offered row of that attribute.
  if (attribute === undefined) return rows.find(({ name, offered }) => offered && text.includes(`"${name}"`));
  const named = rows.filter(({ name }) => name === attribute.name);
  const value = attribute.value.replace(/\s+/g, ' ').trim();
  return named.find((row) => printedValue(row) === value) ?? (named.length === 1 ? named[0] : undefined);
}

/** The numbers of the lines, from 1, where the attributes of a text begin. */
function attributeLines(text: string): number[] {
  return text.split('\n').flatMap((line, at) => (/^[^\s:+][^:]*:/.test(line) ? [at + 1] : []));
}

/** The number of the line why a text is not an object: the first one that is no attribute, or else that of its type. */
export function faultyLine(text: string): number {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trim() !== '');
  const fault = lines.findIndex(
    (line, at) => at >= begin && !/^[^\s:+][^:]*:/.test(line) && !(at > begin && /^[\s+]/.test(line)),
  );
  return Math.max(0, fault >= 0 && lines.slice(fault).some((line) => line.trim() !== '') ? fault : begin) + 1;
}

/** Messages about attributes of a text, with the numbers of their lines. */
export function withLines(messages: readonly Message[], draft: Draft, text: string): Message[] {
  const lines = attributeLines(text);
  // The form offers others, which the text does not have.
  const rows = draft.rows.filter(({ offered }) => !offered);
  const { byRow } = placeMessages(messages, rows);
  return messages.map((message) => {
    const at = rows.findIndex(({ id }) => byRow.get(id)?.includes(message));
    return at < 0 ? message : { ...message, text: `Line ${lines[at]}: ${message.text}` };
  });
}

/**
 * The messages of a dry run, and for a route that the registry did not compare with ROAs, one that says so: a registry
 * without ROAs, or one whose search does not answer.
 */
export function withRoaState(messages: readonly Message[], { type, rows }: Draft): readonly Message[] {
  if (!isRoute(type)) return messages;
  const [prefix, origin] = [type, 'origin'].map((name) => rows.find((row) => row.name === name)?.value.trim());
  const isChecked = messages.some(({ text }) => /^(ROA |No ROA )/.test(text));
  const isWrong = messages.some(
    ({ severity, attribute }) => severity === 'Error' && (attribute?.name === type || attribute?.name === 'origin'),
  );
  if (!prefix || !origin || isChecked || isWrong) return messages;
  return [
    ...messages,
    { severity: 'Info', text: 'ROAs are not checked here', attribute: { name: 'origin', value: origin } },
  ];
}
