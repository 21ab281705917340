import type { Message } from '@cadastre/proto/registry';
import { formatMessage } from '@cadastre/service/errors';

/** A message as comment lines of port 43 and of text: no attribute begins with "%". */
export function commentText(message: Message): string {
  const lines = formatMessage(message).trimEnd().split('\n');
  return lines.map((line) => `%${line === '' || /^(?:ERROR|WARNING):/.test(line) ? '' : ' '}${line}\n`).join('');
}
