import { Refusal } from '../errors.js';
import { messages } from '../messages.js';

/** What a Content-Type header says. */
export interface ContentType {
  readonly format: 'xml' | 'json';
  /** As sent; absent when not said. */
  readonly charset: string | undefined;
}

const formats: Record<string, ContentType['format'] | undefined> = Object.assign(Object.create(null), {
  'application/xml': 'xml',
  'application/json': 'json',
});

/** Reads the Content-Type of a write; throws a Refusal (415) when it is missing or unsupported (decision F4). */
export function readContentType(header: string | undefined): ContentType {
  if (header === undefined || header.trim() === '') throw new Refusal(415, messages.contentTypeMissing());
  const { type, charset } = mediaTypeOf(header);
  const format = formats[type.toLowerCase()];
  if (format === undefined) throw new Refusal(415, messages.unsupportedContentType(type));
  return { format, charset };
}

/** The media type of a Content-Type header and its character set, as sent. */
export function mediaTypeOf(header: string): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter)?.[1]).find(Boolean);
  return { type, charset };
}
