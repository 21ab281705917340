import { setTimeout as delay } from 'node:timers/promises';
import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { LookupStatus } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { type Backends, exampleReader, mntner, type RunningGateway, type SendOptions } from './gateway.fixture.js';

function object(type: string, key: string, more = '', source = 'TEST'): RegistryObject {
  const text = `${type}: Example\nnic-hdl: ${key}\nmnt-by: EXAMPLE-MNT\n${more}source: ${source}\n`;
  return { ...mntner, type, key, source, text };
}

/** Objects of every kind that limits distinguish. */
export const objects = {
  person: object('person', 'PP1-TEST'),
  role: object('role', 'RR1-TEST'),
  abuseRole: object('role', 'AR1-TEST', 'abuse-mailbox: abuse@example.net\n'),
  foreignPerson: object('person', 'GP1-TEST', '', 'EXAMPLE-GRS'),
  mntner,
};

/** Services with these objects, and accounts whose credentials are their names. */
export const limitedBackends: Backends = {
  reader: {
    ...exampleReader,
    batchLookup: async ({ lookups }) => ({
      answers: lookups.map(({ key }) => {
        const found = Object.values(objects).find((one) => one.key === key?.key && one.source === key.source);
        return found
          ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object: found }
          : { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
      }),
    }),
    getVersion: async () => ({ object: objects.person, current: true }),
    listVersions: async () => ({ versions: [] }),
    listOwnMaintainers: async ({ principal }) => {
      const maintainers =
        principal?.accountId === 'olga' ? [{ source: 'TEST', type: 'mntner', key: 'EXAMPLE-MNT' }] : [];
      return { maintainers, incomplete: false };
    },
  },
  auth: {
    async *watchCredentials(_request, { signal }) {
      for (; !signal.aborted; await delay(1_000, undefined, { signal }).catch(() => {})) {
        yield { accountIds: [], blocks: { blocks: [] } };
      }
    },
    authenticate: async ({ basic: name }) => {
      if (name === 'wrong') {
        return { outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED, messages: [] };
      }
      const principal = { credentials: [], accountId: name, accountName: `${name}@example.net`, apiKeyId: 'k' };
      return {
        outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
        principal: { ...principal, maintainers: [], keyFingerprints: [] },
        messages: [],
      };
    },
  },
};

/** The common settings of gateways in these tests: they trust the stated sender of a request. */
export const limitedSettings = { CADASTRE_TRUSTED_PROXIES: '127.0.0.1' };

/** Sends requests of one client. */
export function clientAt(gateway: RunningGateway, address: string) {
  return (path: string, { headers = {}, ...more }: SendOptions = {}) =>
    gateway.send(path, { ...more, headers: { 'x-forwarded-for': address, ...headers } });
}
