import type { AnswerHeaders } from '../errors.js';
import type { Answer } from '../respond.js';
import type { WebFile } from '../web-files.js';

/** Answers a file, in the best coding that it has and the client accepts. */
export function fileAnswer(
  { contentType, bodies }: WebFile,
  accepted: string | string[] | undefined,
  headers: AnswerHeaders,
): Answer {
  const coding = (['br', 'gzip'] as const).find((one) => bodies[one] !== undefined && accepts(accepted, one));
  const encoded: AnswerHeaders = coding === undefined ? {} : { 'content-encoding': coding };
  return {
    status: 200,
    headers: { 'content-type': contentType, vary: 'Accept-Encoding', ...encoded, ...headers },
    content: bodies[coding ?? 'identity']!,
  };
}

/** Whether a content coding is named and not refused (RFC 9110 section 12.5.3). */
function accepts(header: string | string[] | undefined, coding: string): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.replace(/\s/g, '').split(';q='))
    .some(([name, quality]) => name === coding && Number(quality ?? 1) > 0);
}
