import type { AnswerHeaders } from '../errors.js';
import type { Answer } from '../respond.js';

/** A success whose document is not whois-resources; only for targets that answer JSON alone. */
export function jsonAnswer(document: object, headers: AnswerHeaders = {}): Answer {
  return { status: 200, headers, content: Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`) };
}
