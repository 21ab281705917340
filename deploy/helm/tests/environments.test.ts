import { expect, test } from 'vitest';
import { environment, type Manifest, ofKind, policiesFor, selects, services, workloads } from './manifest.js';
import { render } from './render.js';

const longName = 'a-registry-with-a-name-of-fifty-three-letters-in-it-a';

function identities(manifests: Manifest[]): string[] {
  return manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
}

test.each<[string, string, string]>([
  ['plain names', 'production', 'test'],
  ['one name is a prefix of the other', 'cadastre', 'cadastre-test'],
  ['long names that differ in the last letter', longName, `${longName.slice(0, -1)}b`],
])('TEST and production share a namespace: %s', async (_, production, testing) => {
  const [one, two] = await Promise.all([
    render({ release: production, values: 'production' }),
    render({ release: testing, values: 'test' }),
  ]);
  const taken = new Set(identities(one!));
  expect(identities(two!).filter((name) => taken.has(name))).toEqual([]);
  expect(new Set(identities(one!)).size).toBe(one!.length);
});

test('nothing of one environment selects or calls the other', async () => {
  const [production, testing] = await Promise.all([
    render({ release: 'production', values: 'production' }),
    render({ release: 'test', values: 'test' }),
  ]);
  const others = workloads(testing!);
  const selectors = ofKind(production!, 'Service').map(({ spec }) => spec.selector);
  for (const matchLabels of selectors)
    expect(others.some(({ labels }) => selects({ matchLabels }, labels))).toBe(false);
  for (const workload of others) expect(policiesFor(production!, workload)).toEqual([]);
  const addresses = (manifests: Manifest[]) =>
    services(manifests).flatMap(({ pod }) =>
      Object.entries(environment(pod.containers[0]!)).flatMap(([name, value]) =>
        /_ADDRESS$/.test(name) ? [value] : [],
      ),
    );
  const hosts = (manifests: Manifest[]) => ofKind(manifests, 'Service').map(({ metadata }) => `${metadata.name}:9090`);
  expect(hosts(production!)).toEqual(expect.arrayContaining(addresses(production!)));
  expect(hosts(testing!)).toEqual(expect.arrayContaining(addresses(testing!)));
});

test.each(['production', 'test'] as const)('%s has its environment and source in the settings', async (values) => {
  for (const { pod } of services(await render({ values })).filter(({ kind }) => kind === 'Deployment')) {
    const { CADASTRE_ENVIRONMENT, CADASTRE_SOURCE } = environment(pod.containers[0]!);
    expect([CADASTRE_ENVIRONMENT, CADASTRE_SOURCE]).toEqual([values, values === 'test' ? 'TEST' : 'EXAMPLE']);
  }
});

test('names fit into the 63 letters of a label, however long the name of the release', async () => {
  const manifests = await render({ release: longName });
  expect(manifests.map(({ metadata }) => metadata.name).filter((name) => name.length > 63)).toEqual([]);
});
