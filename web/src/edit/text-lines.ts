import type { Message } from '../api/message.js';
import type { Draft } from './draft.js';
import { placeMessages } from './placed-messages.js';

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
