import type { Message } from '../api/message.js';
import './messages.css';

/** Messages that screen readers announce immediately. */
export function Alert({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <div role="alert">
      <Messages messages={messages} />
    </div>
  );
}

/** Messages of the registry, with their line breaks. */
export function Messages({ messages }: { readonly messages: readonly Message[] }) {
  if (messages.length === 0) return null;
  return (
    <ul class="list messages">
      {messages.map((message) => (
        <li
          key={`${message.severity} ${message.text} ${message.attribute?.value}`}
          class={message.severity.toLowerCase()}
        >
          <strong>{message.severity}</strong>
          <span>
            {message.attribute && <code>{message.attribute.name}: </code>}
            {message.text}
            {message.hint && `\n${message.hint}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
