import type { ReplyHeaders } from '../errors.js';
import { acceptedCoding } from './compress.js';
import type { RouteReply } from './send.js';
import type { StaticFile } from './static-files.js';

/** Replies with a file in the best coding that it has and the client accepts. */
export function staticFileReply(
  { contentType, bodies }: StaticFile,
  accepted: string | undefined,
  headers: ReplyHeaders,
): RouteReply {
  const built = (['br', 'gzip'] as const).filter((coding) => bodies[coding] !== undefined);
  const coding = acceptedCoding(accepted, built);
  const encoded: ReplyHeaders = coding === undefined ? {} : { 'content-encoding': coding };
  return {
    status: 200,
    headers: { 'content-type': contentType, vary: 'Accept-Encoding', ...encoded, ...headers },
    content: bodies[coding ?? 'identity']!,
  };
}

/** The policy of a page without content from other origins, and without inline scripts and styles. */
export function pagePolicy(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
