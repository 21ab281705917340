import { count, text } from '@cadastre/rdap/schema';
import type { HeaderObject, Reference } from './document-types.js';

/** Response headers that clients may use. */
export const responseHeaders = {
  'CADASTRE-Serial': text(
    'In the response to a write: the serial of the write. In the response to a search: the serial that the index has reached. In the response to a lookup in the past: the serial of that moment. A search with this request header waits until the index has reached that serial.',
    { pattern: '^[0-9]+$', examples: ['42'] },
  ),
  'CADASTRE-Compared': count('How many objects `contains` has compared for this response.'),
  'Content-Location': text('The URL of the version that a lookup in the past has found.'),
  'Memento-Datetime': text('When this version of the object was stored (RFC 7089).', {
    examples: ['Thu, 01 Jan 2026 00:00:00 GMT'],
  }),
  Allow: text('The methods of this path.', { examples: ['GET, HEAD, OPTIONS'] }),
  ETag: text(
    'Identifies the content. With this value in `If-None-Match`, the response to a later request is 304 if the content is the same. That of a lookup, in `If-Match` of an update or a deletion, allows a write only if the object has not changed since.',
  ),
  'Idempotent-Replayed': text('The request repeats an earlier one with its `Idempotency-Key`: this is its result.', {
    enum: ['true'],
  }),
  Link: text(
    'Of a refusal without HTTPS: the URL of this registry over HTTPS, with `rel="alternate"`. Of a search: the URL of the search for the next objects, with `rel="next"` (RFC 8288). Its result may be empty. Of a version, and of a lookup in the past: the URLs of the object (`original timegate`) and of the list of its versions (`timemap`, RFC 7089).',
  ),
  Location: text('The URL of the next request.'),
  RateLimit: text('The remaining limits of the request (draft-ietf-httpapi-ratelimit-headers).', {
    examples: ['"personal-objects";r=950;t=3600'],
  }),
  'RateLimit-Policy': text('The limits of the request (draft-ietf-httpapi-ratelimit-headers).', {
    examples: ['"personal-objects";q=1000;w=86400'],
  }),
  'Retry-After': count('Seconds to wait before the next attempt.'),
  'Set-Cookie': text('Sets the session cookie, or removes it.'),
  Upgrade: text('The required protocol: send the same request over HTTPS.'),
  'WWW-Authenticate': text('How to authenticate (RFC 9110 section 11.6.1).'),
};

/** Name of such a header. */
export type ResponseHeader = keyof typeof responseHeaders;

/** References to headers in the components. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every header, as components. */
export function headerComponents(): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description, ...schema }]) => [name, { description, schema }]),
  );
}
