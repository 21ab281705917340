import { cookieNames } from '../session-cookies.js';
import type { OperationObject } from './document-types.js';
import type { Operation } from './operation.js';

/** How a request shows who asks. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key: the credential that was shown when it was made is the value behind `Basic`.',
  },
  token: { type: 'http', scheme: 'bearer', description: 'An access token of the identity provider.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieNames.session,
    description:
      'The session of a browser that signed in under `/session/login`. Writes must come from a page of this service.',
  },
  clientCertificate: {
    type: 'mutualTLS',
    description: 'A client certificate that a `key-cert` object holds, on the addresses for client certificates.',
  },
};

const everyScheme = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

/** The credentials that an operation takes. */
export function securityOf({ credentials }: Operation): OperationObject['security'] {
  if (credentials === 'none') return [];
  return credentials === 'required' ? everyScheme : [{}, ...everyScheme];
}
