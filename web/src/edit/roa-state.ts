import type { Message } from '../api/message.js';
import type { Draft } from './draft.js';

/**
 * The messages of a dry run, and for a route that the registry did not compare with ROAs, one that says so: a registry
 * without ROAs, or one whose search does not answer.
 */
export function withRoaState(messages: readonly Message[], { type, rows }: Draft): readonly Message[] {
  if (type !== 'route' && type !== 'route6') return messages;
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
