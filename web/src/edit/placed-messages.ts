import type { Message } from '../api/message.js';
import { printedValue, type Row } from './draft.js';

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
