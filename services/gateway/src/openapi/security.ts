import { cookieNames } from '../reply/session-cookies.js';
import type { OperationObject } from './document-types.js';
import type { Operation } from './operation.js';

/** How a request identifies its sender. Some generators make types of these names, so no schema has one of them. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key: `Basic` and the credential from the response that created the key.',
  },
  token: { type: 'http', scheme: 'bearer', description: 'An access token of the identity provider.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieNames.session,
    description:
      'The session of a browser that signed in at `/session/login`. Writes must come from a page of this service.',
  },
  clientCertificate: {
    type: 'mutualTLS',
    description: 'A client certificate that a `key-cert` object contains, on the port for client certificates.',
  },
};

const everyScheme = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

/** The credentials that an operation takes. */
export function securityOf({ credentials, sessionOnly }: Operation): OperationObject['security'] {
  if (credentials === 'none') return [];
  if (sessionOnly) return [{ session: [] }];
  return credentials === 'required' ? everyScheme : [{}, ...everyScheme];
}
