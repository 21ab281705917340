import type { RpslObject } from './object.js';
import { parseObject } from './text.js';

/** The object of a valid text. */
export function parsed(text: string): RpslObject {
  const result = parseObject(text, { expandShortNames: true });
  if (!result.ok) throw new Error(result.messages[0]?.text);
  return result.object;
}
