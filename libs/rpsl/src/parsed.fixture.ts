import type { RpslObject } from './object.js';
import { parseObject } from './text.js';

/** The object of a text that is known to parse. */
export function parsed(text: string): RpslObject {
  const result = parseObject(text, { expandShortNames: true });
  if (!result.ok) {
    throw new Error(result.messages[0]?.text);
  }
  return result.object;
}
