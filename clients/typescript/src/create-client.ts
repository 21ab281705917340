import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './interface.js';

/** Address and credentials of a client. */
export interface RegistryOptions {
  /** URL of the REST interface, such as https://rest.example.net; default in a browser: the page's own origin. */
  readonly baseUrl?: string;
  /** Credential of an API key, as shown when the key was created. */
  readonly apiKey?: string;
  /** Access token of the identity provider; used only without `apiKey`. */
  readonly token?: string;
  /** Sends requests, for proxies, certificates and tests; default: the platform's own `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client with a method for each HTTP method; paths, parameters, bodies and responses are typed. It requests JSON.
 * Each call resolves with `data` or `error`, and with `response`; it rejects only without a response.
 */
export type RegistryClient = Client<paths, Media>;

/** The media types of documents: those of REST and of RDAP. */
type Media = 'application/json' | 'application/rdap+json';

/** Makes a client. */
export function createClient({ baseUrl, apiKey, token, fetch }: RegistryOptions = {}): RegistryClient {
  const authorization = apiKey ? `Basic ${apiKey}` : token ? `Bearer ${token}` : undefined;
  return createFetchClient<paths, Media>({
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(fetch === undefined ? {} : { fetch }),
    headers: { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) },
  });
}
