import type { Message } from '@cadastre/proto/registry';
import { severityName } from './severity.js';
import type { XmlElement } from './xml-text.js';

/** Messages about the request, or about one object. */
export function xmlMessages(list: readonly Message[], name = 'errormessage'): XmlElement {
  return { name: `${name}s`, children: list.map((message) => messageElement(message, name)) };
}

function messageElement(message: Message, name: string): XmlElement {
  const children: XmlElement[] = message.args.map((value) => ({ name: 'args', attributes: [['value', value]] }));
  if (message.attribute) {
    const attributes = [
      ['name', message.attribute.name],
      ['value', message.attribute.value],
    ] as const;
    children.unshift({ name: 'attribute', attributes });
  }
  const attributes = [
    ['severity', severityName(message.severity)],
    ['text', message.text],
  ] as const;
  return { name, attributes, children };
}
