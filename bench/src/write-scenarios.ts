import type { HttpRequest } from './load-generator.ts';
import type { Scenario } from './scenarios.ts';

const source = 'TEST';
const maintainer = 'EXAMPLE-MNT';

/** Attributes of an object. */
export type Attributes = readonly (readonly [name: string, value: string])[];

/** A type of objects to write. */
interface Kind {
  readonly type: string;
  key(n: number): string;
  attributes(n: number): Attributes;
}

const ending: Attributes = [
  ['mnt-by', maintainer],
  ['source', source],
];
const contacts: Attributes = [
  ['admin-c', 'AE1-TEST'],
  ['tech-c', 'EN1-TEST'],
];

/** IPv4 space that no generated registry uses, and its maintainer. */
const parent: Attributes = [
  ['inetnum', '240.0.0.0 - 255.255.255.255'],
  ['netname', 'BENCH-NET'],
  ['country', 'NL'],
  ...contacts,
  ['status', 'ALLOCATED PA'],
  ['mnt-lower', maintainer],
  ['mnt-routes', maintainer],
  ['mnt-domains', maintainer],
  ...ending,
];

/** The n-th address of the parent. */
function address(n: number): string {
  const number = 0xf000_0000 + n;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** The reverse zone of the n-th /24 of the parent. */
function zone(n: number): string {
  return `${address(n * 256)
    .split('.')
    .toReversed()
    .slice(1)
    .join('.')}.in-addr.arpa`;
}

const networkSize = 16;

const kinds: readonly Kind[] = [
  {
    type: 'person',
    // No generated person has these letters and a number of this size.
    key: (n) => `BW${100_000 + n}-${source}`,
    attributes: (n) => [
      ['person', 'Bench Writer'],
      ['address', 'Example Street 1'],
      ['phone', '+31 20 555 0100'],
      ['e-mail', 'bench@example.net'],
      ['nic-hdl', `BW${100_000 + n}-${source}`],
    ],
  },
  {
    type: 'inetnum',
    key: (n) => `${address(n * networkSize)} - ${address((n + 1) * networkSize - 1)}`,
    attributes: (n) => [
      ['inetnum', `${address(n * networkSize)} - ${address((n + 1) * networkSize - 1)}`],
      ['netname', `BENCH-NET-${n}`],
      ['country', 'NL'],
      ...contacts,
      ['status', 'ASSIGNED PA'],
    ],
  },
  {
    type: 'route',
    key: (n) => `${address(n * networkSize)}/28AS64500`,
    attributes: (n) => [
      ['route', `${address(n * networkSize)}/28`],
      ['origin', 'AS64500'],
    ],
  },
  {
    type: 'domain',
    key: zone,
    attributes: (n) => [
      ['domain', zone(n)],
      ...contacts,
      ['zone-c', 'EN1-TEST'],
      ['nserver', 'ns1.example.net'],
      ['nserver', 'ns2.example.net'],
    ],
  },
];

/** Numbers of the objects that are created, by the number of clients, and of those that are updated. */
const firstCreated: Readonly<Record<number, number>> = { 1: 0, 16: 300_000 };
const firstUpdated = 600_000;
const updatedObjects = 200;
const maxPerSecond = 4000;

/** The numbers of concurrent clients. */
export const writingClients = [1, 16] as const;

/** A create and an update of each type that networks need, for this number of clients. */
export function writeScenarios(credential: string, clients: (typeof writingClients)[number]): Scenario[] {
  const headers = headersOf(credential);
  const shared = { distinct: firstUpdated, statuses: [200], maxPerSecond };
  return kinds.flatMap(({ type, key, attributes }): Scenario[] => [
    {
      ...shared,
      name: `create ${type}`,
      first: firstCreated[clients]!,
      request: (n) => creation(credential, type, [...attributes(n), ['remarks', 'created'], ...ending]),
    },
    {
      ...shared,
      name: `update ${type}`,
      request: (n) => {
        const number = firstUpdated + (n % updatedObjects);
        const path = `/${source}/${type}/${encodeURIComponent(key(number))}`;
        const remarks = ['remarks', `updated by one of ${clients}, write ${n}`] as const;
        return { method: 'PUT', path, headers, body: bodyOf(type, [...attributes(number), remarks, ...ending]) };
      },
    },
  ]);
}

/** Creates persons, each with its own address to notify of changes. */
export function notifyingScenario(credential: string): Scenario {
  const { type, attributes } = kinds.find((kind) => kind.type === 'person')!;
  return {
    name: `create ${type} with notify`,
    distinct: firstUpdated,
    statuses: [200],
    maxPerSecond,
    request: (n) => creation(credential, type, [...attributes(n), ['notify', `bench-${n}@example.net`], ...ending]),
  };
}

/** The request that creates an object. */
export function creation(credential: string, type: string, attributes: Attributes) {
  const body = bodyOf(type, attributes);
  return { method: 'POST', path: `/${source}/${type}`, headers: headersOf(credential), body } satisfies HttpRequest;
}

function headersOf(credential: string): Readonly<Record<string, string>> {
  return {
    authorization: `Basic ${credential}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
}

function bodyOf(type: string, attributes: Attributes): string {
  const attribute = attributes.map(([name, value]) => ({ name, value }));
  return JSON.stringify({ objects: { object: [{ type, source: { id: source }, attributes: { attribute } }] } });
}

/** The objects that the writes need, as texts: the enclosing network and the objects to update. */
export function objectsForWrites(): string[] {
  const updated = kinds.flatMap(({ attributes }) =>
    Array.from({ length: updatedObjects }, (_, n) => [...attributes(firstUpdated + n), ...ending]),
  );
  return [parent, ...updated].map(textOf);
}

function textOf(attributes: Attributes): string {
  return attributes.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join('');
}
