import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ofKind, services, workloads } from './manifest.js';
import { render } from './render.js';

// docs/operate/production.md, as far as it can be followed without a cluster or Docker.
const page = readFileSync(new URL('../../../docs/operate/production.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text!.trim().split('\n'));

/** What tests the lines of the page that begin like this. */
const followed: readonly (readonly [start: string, by: string])[] = [
  ['kubectl create secret generic ', 'below'],
  ['helm install registry deploy/helm/cadastre --values my-values.yaml', 'below, with the examples'],
  ['helm test registry', 'libs/system/tests/shared/helm-round-trip.test.ts'],
  ['cadastre() { kubectl exec ', 'deploy/helm/tests/installation.test.ts, in a cluster'],
  ['cadastre() { docker compose run --rm ', 'libs/system/tests/images.test.ts, with Docker'],
  ['deploy/compose/secrets.sh', 'libs/system/tests/images.test.ts, with Docker'],
  ['docker compose up --detach --wait', 'libs/system/tests/images.test.ts, with Docker'],
  ['cadastre load ', 'libs/system/tests/systemd.test.ts'],
  ['cadastre status', 'libs/system/tests/systemd.test.ts'],
  ['curl https://', 'libs/system/tests/systemd.test.ts'],
  ['whois -h whois.example.net -- ', 'libs/system/tests/systemd.test.ts'],
];

test('a test follows each line of each block', () => {
  const lines = blocks.flat();
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.filter((line) => !followed.some(([start]) => line.startsWith(start)))).toEqual([]);
  expect(followed.filter(([start]) => !lines.some((line) => line.startsWith(start)))).toEqual([]);
});

test('its steps have the order in which a registry comes into being', () => {
  const steps = [...page.matchAll(/^## (\d+)\. (.*)$/gm)].map(([, number, title]) => [Number(number), title!]);
  expect(steps.map(([number]) => number)).toEqual(steps.map((_, index) => index + 1));
  const at = (word: string) => steps.findIndex(([, title]) => (title as string).includes(word));
  const words = ['cannot change', 'DNS', 'Databases', 'Certificates', 'Identity', 'Install', 'maintainers', 'Port 43'];
  expect(words.map(at)).toEqual(words.map((_, index) => index));
  expect(page.indexOf('[backup](backup.md)')).toBeLessThan(page.indexOf('helm install registry'));
});

describe.each(['one-node', 'small-production'])('with ci/%s-values.yaml', (values) => {
  test('the Secrets of the page are those that the release needs at least', async () => {
    const manifests = await render({ release: 'registry', values });
    const made = [...page.matchAll(/^kubectl create secret generic (\S+) --from-literal=([^=]+)=/gm)];
    const given = Object.fromEntries(made.map(([, name, key]) => [name, key]));
    const used = workloads(manifests).flatMap(({ pod }) =>
      (pod.volumes ?? []).flatMap(({ secret }) => secret?.items?.map(({ key }) => [secret.secretName!, key]) ?? []),
    );
    const others = ['mail-server', 'mirror-database', 'pgbackrest']; // Of step 8, and of backup.md.
    const own = ofKind(manifests, 'Secret').map(({ metadata }) => metadata.name);
    const needed = used.filter(([name]) => ![...others, ...own].includes(name!));
    expect(Object.fromEntries(needed)).toEqual(given);
  });

  test('production begins with the names of the page', async () => {
    const manifests = await render({ release: 'registry', values });
    const hosts = ofKind(manifests, 'Certificate').flatMap(({ spec }) => spec.dnsNames ?? []);
    const names = [...page.matchAll(/^\| `([a-z-]+\.example\.net)` \|/gm)].map(([, name]) => name!);
    expect(names).toEqual(['rest.example.net', 'rest-cert.example.net', 'rdap.example.net', 'whois.example.net']);
    expect(hosts).toEqual(expect.arrayContaining(names.filter((name) => name !== 'whois.example.net')));
    expect(services(manifests).map(({ component }) => component)).toContain('whois');
  });
});
