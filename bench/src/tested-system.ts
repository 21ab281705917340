import { type Registry, type RegistryOptions, startRegistry } from '@cadastre/system';

/** Addresses without limits. */
const exemptAddresses = '127.0.0.1/32,::1/128';
const unreached = '1000000000';

/**
 * No limit may end a run. Requests from any other address are counted without reaching a limit, to measure the cost of
 * counting.
 */
const limitSettings = {
  CADASTRE_LIMITS_EXEMPT: exemptAddresses,
  CADASTRE_LIMITS_PERSONAL_OBJECTS: unreached,
  CADASTRE_LIMITS_QUERIES: unreached,
  CADASTRE_LIMITS_SEARCHES: unreached,
  CADASTRE_LIMITS_UPDATES: unreached,
  CADASTRE_LIMITS_CONCURRENT_REQUESTS: unreached,
  CADASTRE_LIMITS_CONCURRENT_SEARCHES: unreached,
  CADASTRE_LIMITS_CONCURRENT_UPDATES: unreached,
  CADASTRE_LIMITS_SEARCH_OBJECTS: unreached,
  CADASTRE_LIMITS_BYTES: unreached,
  CADASTRE_LIMITS_PROCESSING: unreached,
  CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '0',
};

/** An address of this machine with limits. */
export const limitedAddress = '127.0.0.2';

/** The system as `make run` starts it, with its own empty data directory. */
export type TestedSystem = Registry;

/** Starts the system, each service in a process of its own, and waits until it is ready. */
export function startTestedSystem(options: RegistryOptions): Promise<TestedSystem> {
  const own = {
    CADASTRE_SOURCE: undefined,
    CADASTRE_ENVIRONMENT: undefined,
    ...limitSettings,
    CADASTRE_RUN_PROCESSES: 'each',
  };
  return startRegistry({ ...options, settings: { ...own, ...options.settings } });
}
