import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './interface.js';

/** Where the registry is, and who asks. */
export interface RegistryOptions {
  /** URL of the REST interface, such as https://rest.example.net; in a browser the page's own origin unless given. */
  readonly baseUrl?: string;
  /** Credential of an API key, as it was shown when the key was made. */
  readonly apiKey?: string;
  /** Access token of the identity provider; counts only without `apiKey`. */
  readonly token?: string;
  /** Sends requests, for proxies, certificates and tests; the platform's own `fetch` unless given. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client with a method for each HTTP method; paths, parameters, bodies and answers are typed. It asks for JSON.
 * Each call settles with `data` or `error`, and with `response`; it rejects only when no answer came.
 */
export type RegistryClient = Client<paths, 'application/json'>;

/** Makes a client. */
export function createClient({ baseUrl, apiKey, token, fetch }: RegistryOptions = {}): RegistryClient {
  const authorization = apiKey ? `Basic ${apiKey}` : token ? `Bearer ${token}` : undefined;
  return createFetchClient<paths, 'application/json'>({
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(fetch === undefined ? {} : { fetch }),
    headers: { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) },
  });
}
