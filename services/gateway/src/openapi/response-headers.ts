import type { HeaderObject, Reference } from './document-types.js';
import { count, type Schema, text } from './schemas/schema.js';

type HeaderSchema = Schema & { readonly description: string };

/** Headers of answers that clients may look at. */
export const responseHeaders = {
  'CADASTRE-Serial': text(
    'Of a write: the serial that it was given. Of a search: the serial up to which the index knows. Sent as the request header of a search, it has the search wait for that write.',
    { pattern: '^[0-9]+$', examples: ['42'] },
  ),
  Allow: text('The methods of this path.', { examples: ['GET, HEAD, OPTIONS'] }),
  ETag: text('Names the content: sent back in `If-None-Match`, the same content is not sent again (304).'),
  Location: text('Where to go on.'),
  RateLimit: text(
    'Where the client stands with the limits that the request counted against (draft-ietf-httpapi-ratelimit-headers).',
    {
      examples: ['"personal-objects";r=950;t=3600'],
    },
  ),
  'RateLimit-Policy': text('Those limits (draft-ietf-httpapi-ratelimit-headers).', {
    examples: ['"personal-objects";q=1000;w=86400'],
  }),
  'Retry-After': count('After how many seconds it is worth to try again.'),
  'Set-Cookie': text('Gives the cookie of a session, or takes it away.'),
  Upgrade: text('The protocol to change to: the same request over HTTPS.'),
  'WWW-Authenticate': text('How to authenticate (RFC 9110 section 11.6.1).'),
} satisfies Readonly<Record<string, HeaderSchema>>;

/** Name of such a header. */
export type ResponseHeader = keyof typeof responseHeaders;

/** References to headers in the components. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every header, to be referred to. */
export function headerComponents(): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description, ...schema }]) => [name, { description, schema }]),
  );
}
