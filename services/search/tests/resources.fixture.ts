import { AbuseContactServiceService, GeolocationServiceService, ResourceServiceService } from '@cadastre/proto/geo';
import type { ItemFailure } from '@cadastre/proto/registry';
import { policy } from '@cadastre/rpsl/testing';
import { errorOfFailure, type FailureKind } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { FindLineages } from '../src/resources/lineages-in-index.js';
import { abuseContactHandlers } from '../src/rpc/abuse-contacts.js';
import { geolocationHandlers } from '../src/rpc/geolocation.js';
import { resourceHandlers } from '../src/rpc/resources.js';
import { type CountedObjects, objectsOf } from './objects.fixture.js';

/** A small registry: an organisation, its IPv4 and IPv6 space, an AS number, and the roots. */
export const registry: string[][] = [
  ['organisation: ORG-EX1-TEST', 'org-name: Example', 'org-type: LIR', 'abuse-c: AR1-TEST', 'language: fr'],
  ['organisation: ORG-EX2-TEST', 'org-name: Customer', 'org-type: OTHER'],
  ['role: Abuse', 'nic-hdl: AR1-TEST', 'abuse-mailbox: abuse@example.net'],
  ['role: Abuse', 'nic-hdl: AR2-TEST', 'abuse-mailbox: dead@example.net'],
  ['inetnum: 0.0.0.0 - 255.255.255.255', 'status: ALLOCATED UNSPECIFIED', 'mnt-by: RS-MNT', 'abuse-c: AR1-TEST'],
  [
    'inetnum: 192.0.2.0 - 192.0.2.255',
    'status: ALLOCATED PA',
    'mnt-by: EX-MNT',
    'org: ORG-EX1-TEST',
    'geoloc: 52.37 4.89',
  ],
  ['inetnum: 192.0.2.0 - 192.0.2.99', 'status: ASSIGNED PA', 'mnt-by: EX-MNT', 'geofeed: https://example.net/feed.csv'],
  ['inetnum: 192.0.2.100 - 192.0.2.109', 'status: ASSIGNED PA', 'mnt-by: RS-MNT'],
  ['inetnum: 198.51.100.0 - 198.51.100.255', 'status: ALLOCATED PA', 'mnt-by: EX-MNT'],
  ['inet6num: ::/0', 'status: ALLOCATED-BY-RIR', 'mnt-by: EX-MNT', 'abuse-c: AR1-TEST'],
  ['inet6num: 2001:db8::/32', 'status: ALLOCATED-BY-RIR', 'mnt-by: EX-MNT', 'org: ORG-EX2-TEST', 'abuse-c: AR2-TEST'],
  ['aut-num: AS64500', 'mnt-by: EX-MNT', 'org: ORG-EX1-TEST'],
  ['aut-num: AS64501', 'mnt-by: EX-MNT'],
  ['inetnum: 192.0.2.0 - 192.0.2.255', 'org: ORG-EX1-TEST', 'source: OTHER-GRS'],
  ['organisation: ORG-EX1-TEST', 'org-name: Example elsewhere', 'abuse-c: AR1-TEST', 'source: OTHER-GRS'],
  ['role: Abuse', 'nic-hdl: AR1-TEST', 'abuse-mailbox: abuse@example.net', 'source: OTHER-GRS'],
];

/** The methods about resources over these objects. */
export function clientsOver(objects: CountedObjects, findLineages?: FindLineages) {
  const context = { objects, policy, findLineages };
  return {
    contacts: inMemoryClient(AbuseContactServiceService, abuseContactHandlers(context)),
    locations: inMemoryClient(GeolocationServiceService, geolocationHandlers(context)),
    resources: inMemoryClient(ResourceServiceService, resourceHandlers(context)),
    requested: objects.requested,
  };
}

/** The same over the small registry and further objects. */
export function clients(further: readonly string[][] = []) {
  return clientsOver(objectsOf([...registry, ...further]));
}

/** The kind of the error of a failed item of a batch. */
export function kindOf(failure: ItemFailure | undefined): FailureKind | undefined {
  return failure && errorOfFailure(failure).kind;
}

/** All items of a stream. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Questions about resources as a stream. */
export async function* questions(resources: Iterable<string>): AsyncGenerator<{ resource: string }> {
  for (const resource of resources) yield { resource };
}
