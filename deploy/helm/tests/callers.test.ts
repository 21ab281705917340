import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import * as authContracts from '../../../proto/src/auth.js';
import * as eventsContracts from '../../../proto/src/events.js';
import * as geoContracts from '../../../proto/src/geo.js';
import * as mirrorContracts from '../../../proto/src/mirror.js';
import * as objectsContracts from '../../../proto/src/objects.js';
import * as searchContracts from '../../../proto/src/search.js';
import * as whoisContracts from '../../../proto/src/whois.js';
import { allowedCallers as auth } from '../../../services/auth/src/rpc/index.js';
import { allowedCallers as events } from '../../../services/events/src/rpc/index.js';
import { allowedCallers as mirror } from '../../../services/mirror/src/rpc/index.js';
import { allowedCallers as objects } from '../../../services/objects/src/rpc/index.js';
import { allowedCallers as search } from '../../../services/search/src/rpc/index.js';
import { allowedCallers as whois } from '../../../services/whois/src/rpc/index.js';
import {
  environment,
  type Manifest,
  named,
  ofKind,
  policiesFor,
  selects,
  services,
  type Workload,
  workloads,
} from './manifest.js';
import { render } from './render.js';

/** What each service allows others to call, by method or contract. */
const allowed: Record<string, Record<string, readonly string[]>> = {
  ...{ objects, auth, search, whois, mirror, events },
};
const backends = Object.keys(allowed);
/** Parts with the operator's certificate. */
const operators = ['test', 'cli'];

/** With all optional parts. */
const complete = {
  'events.enabled': true,
  'whois.enabled': true,
  'mirror.enabled': true,
  'mirror.keys.secretName': 'mirror-keys',
  'events.mail.secretName': 'mail',
  'events.mail.from': 'noreply@example.net',
};

let manifests: Manifest[];
let parts: Workload[];

beforeAll(async () => {
  manifests = await render({ set: complete, setJson: { 'mirror.publish': ['TEST'] } });
  parts = services(manifests);
});

/** Parts that the network policy admits to the gRPC port of a service. */
function admitted(service: string): string[] {
  const workload = parts.find(({ component }) => component === service)!;
  const rules = policiesFor(manifests, workload).flatMap(({ ingress = [] }) => ingress);
  const peers = rules
    .filter(({ ports }) => ports?.some(({ port }) => port === 'grpc'))
    .flatMap(({ from }) => from ?? []);
  return peers.map(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/component'] ?? 'anybody');
}

/** Services whose address a part gets. */
function called(part: Workload): string[] {
  const names = Object.keys(environment(part.pod.containers[0]!));
  return names.flatMap((name) => /^CADASTRE_([A-Z]+)_ADDRESS$/.exec(name)?.[1]?.toLowerCase() ?? []);
}

const contracts: Record<string, object> = {
  ...{ auth: authContracts, events: eventsContracts, mirror: mirrorContracts },
  ...{ objects: objectsContracts, search: { ...searchContracts, ...geoContracts }, whois: whoisContracts },
};

/** The methods of a service by their names in code. */
function methodsOf(service: string): (readonly [name: string, path: string])[] {
  return Object.values(contracts[service]!)
    .flatMap((contract) => Object.entries<{ path?: string } | undefined>(contract ?? {}))
    .flatMap(([name, definition]) => (definition?.path ? [[name, definition.path] as const] : []));
}

/** A call of a method whose name is one word; the names are those of clients of the gateway. */
const shortCall =
  /\b(?:reader|writer|feed|auth|apiKeys|blocks|sessions|signatures|search|sets|geolocation)\.([a-z]+)\(/g;
/** Any other call: only a method of a contract has a name of several words that is in a contract. */
const longCall = /\.([a-z]+[A-Z]\w*)\(/g;

test.each(['gateway', ...backends])('%s is allowed every method of others that it calls', (caller) => {
  const folder = `${import.meta.dirname}/../../../services/${caller}/src`;
  const code = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }).map((file) =>
    readFileSync(`${folder}/${file}`, 'utf8'),
  );
  const names = new Set(
    code.flatMap((text) => [shortCall, longCall].flatMap((call) => [...text.matchAll(call)].map(([, name]) => name!))),
  );
  // libs/changes makes this call for its users.
  if (code.some((text) => text.includes('watchChanges('))) names.add('watch');
  const refused = backends
    .filter((service) => service !== caller)
    .flatMap((service) => {
      const called = methodsOf(service).filter(([name]) => names.has(name));
      // A list may name a method, or all methods of a contract.
      const callersOf = (path: string) => allowed[service]![path] ?? allowed[service]![path.split('/')[1]!] ?? [];
      return called.flatMap(([, path]) => (callersOf(path).includes(caller) ? [] : [path]));
    });
  expect(refused).toEqual([]);
  if (caller === 'gateway') expect(names.size).toBeGreaterThan(15);
});

describe.each(backends)('%s', (service) => {
  test('is reachable only for parts that get its address', () => {
    const callers = parts.filter((part) => called(part).includes(service)).map(({ component }) => component);
    const others = admitted(service).filter((name) => !operators.includes(name));
    expect(others.sort()).toEqual(callers.filter((name) => !operators.includes(name)).sort());
  });

  test('allows the callers that the network policy admits', () => {
    const callers = [...new Set(Object.values(allowed[service]!).flat())];
    expect(callers.sort()).toEqual(
      admitted(service)
        .filter((name) => !operators.includes(name))
        .sort(),
    );
  });

  test('has a headless Service, so that clients balance their calls over all pods', () => {
    const { spec } = named(manifests, 'Service', `trial-cadastre-${service}`);
    expect([spec.clusterIP, spec.ports[0].name]).toEqual(['None', 'grpc']);
  });
});

test('everybody reaches whois over TLS, if it has a certificate', async () => {
  const rendered = await render({ set: { 'whois.enabled': true, 'whois.tls.secretName': 'whois-example-net' } });
  const whois = services(rendered).find(({ component }) => component === 'whois')!;
  expect(environment(whois.pod.containers[0]!)).toMatchObject({
    CADASTRE_WHOIS_TLS_PORT: '4344',
    CADASTRE_WHOIS_TLS_CERT_FILE: '/run/files/whois-tls/tls.crt',
    CADASTRE_WHOIS_TLS_KEY_FILE: '/run/files/whois-tls/tls.key',
  });
  expect(whois.pod.volumes).toContainEqual(
    expect.objectContaining({ secret: expect.objectContaining({ secretName: 'whois-example-net' }) }),
  );
  const rules = policiesFor(rendered, whois).flatMap(({ ingress = [] }) => ingress);
  expect(rules.find(({ ports }) => ports?.some(({ port }) => port === 'whois-tls'))).not.toHaveProperty('from');
  const { spec } = named(rendered, 'Service', 'trial-cadastre-whois-public');
  expect(spec.ports.map(({ port }: { port: number }) => port)).toEqual([43, 4344]);
});

test('everybody reaches whois, whose Service keeps the addresses of clients', () => {
  const whois = parts.find(({ component }) => component === 'whois')!;
  const rules = policiesFor(manifests, whois).flatMap(({ ingress = [] }) => ingress);
  expect(rules.find(({ ports }) => ports?.some(({ port }) => port === 'whois'))).not.toHaveProperty('from');
  const { spec } = named(manifests, 'Service', 'trial-cadastre-whois-public');
  expect(spec).toMatchObject({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 43 }] });
  expect(selects({ matchLabels: spec.selector }, whois.labels)).toBe(true);
});

test('the command line program finds pods of search, ready or not, by a Service of its own', () => {
  const search = parts.find(({ component }) => component === 'search')!;
  const { spec } = named(manifests, 'Service', 'trial-cadastre-search-any');
  expect([spec.publishNotReadyAddresses, selects({ matchLabels: spec.selector }, search.labels)]).toEqual([true, true]);
  const { pod } = workloads(manifests).find(({ component }) => component === 'cli')!;
  expect(environment(pod.containers[0]!)).toMatchObject({
    CADASTRE_SEARCH_ADDRESS: 'trial-cadastre-search:9090',
    CADASTRE_SEARCH_ANY_ADDRESS: 'trial-cadastre-search-any:9090',
  });
  const published = ofKind(manifests, 'Service').filter((one) => one.spec.publishNotReadyAddresses);
  expect(published.map(({ metadata }) => metadata.name)).toEqual(['trial-cadastre-search-any']);
});

test('ingress and egress rules agree', () => {
  for (const part of parts) {
    const rules = policiesFor(manifests, part).flatMap(({ egress = [] }) => egress);
    const peers = rules.flatMap(({ to = [] }) =>
      to.map(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/component']),
    );
    expect(peers.filter((name) => backends.includes(name!)).sort()).toEqual(
      expect.arrayContaining(called(part).sort()),
    );
  }
});

test('systems of the operator reach the services only if the values allow it', async () => {
  const peer = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'automation' } } };
  const rendered = await render({ values: 'production', set: { 'whois.enabled': true } });
  for (const component of backends) {
    const workload = services(rendered).find((one) => one.component === component)!;
    const rules = policiesFor(rendered, workload).flatMap(({ ingress = [] }) => ingress);
    expect(rules.find(({ ports }) => ports?.some(({ port }) => port === 'grpc'))?.from).toContainEqual(peer);
  }
  expect(admitted('objects')).not.toContain('anybody');
});
