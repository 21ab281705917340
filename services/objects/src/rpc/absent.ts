import type { Message } from '@cadastre/proto/registry';
import { messages } from '@cadastre/rpsl';
import { failureMessage } from '@cadastre/service';
import { wireMessage } from './convert-message.js';

/** There is nothing of that name in the source. */
export function noEntries(source: string): Message {
  return wireMessage(messages.noEntries([source]));
}

/** The object has no version of so high a number. */
export function versionBeyond(newest: number): Message {
  return failureMessage(
    'ERROR:117: version cannot exceed %d for this object\n\nVersions are numbers greater or equal to 1\n' +
      "but cannot exceed the object's current version number.\n",
    [String(newest)],
  );
}
