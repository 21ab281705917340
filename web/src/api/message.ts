import { messageText, type Message as SentMessage } from '@cadastre/client';

/** A message of the registry about a request or about one attribute of an object. */
export interface Message {
  readonly severity: 'Error' | 'Warning' | 'Info';
  /** With its arguments filled in. */
  readonly text: string;
  /** For a refusal for lack of authority: the maintainers who could authorise. */
  readonly maintainers?: readonly string[];
  /** The correct form. */
  readonly hint?: string;
  readonly attribute?: { readonly name: string; readonly value: string };
}

function readMessage(sent: SentMessage): Message {
  const { severity, text, args = [], attribute } = sent;
  const values = args.map(({ value }) => value);
  const filled = messageText(sent).trim();
  const maintainers = text.startsWith('Authorisation for') ? { maintainers: maintainersOf(text, values) } : {};
  return { severity, text: filled, ...maintainers, ...(attribute ? { attribute } : {}) };
}

/** The messages of an answer, without that of a dry run: pages say so themselves. */
export function readMessages(sent: readonly SentMessage[] = []): Message[] {
  return sent
    .map(readMessage)
    .filter(({ severity, text }) => severity !== 'Info' || !text.startsWith('Dry-run performed'));
}

/** The last argument of the template that names them (a rule of updates; see libs/rpsl). */
function maintainersOf(text: string, values: readonly string[]): string[] {
  if (!text.includes('not authenticated by')) return [];
  return (values.at(-1) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
