import type { Message } from '@cadastre/proto/registry';
import type { JsonObject } from './json-text.js';
import { severityName } from './severity.js';

/** Messages about the request, or about one object. */
export function jsonMessages(list: readonly Message[], name = 'errormessage'): JsonObject {
  return { [name]: list.map(messageMember) };
}

function messageMember({ severity, attribute, text, args }: Message): JsonObject {
  return {
    severity: severityName(severity),
    attribute: attribute && { name: attribute.name, value: attribute.value },
    text,
    args: args.length === 0 ? undefined : args.map((value) => ({ value })),
  };
}
