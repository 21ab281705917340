import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseSettings, registrySettings } from '@cadastre/service';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { migrationSettings as authMigration, authSettings } from '../../../services/auth/src/settings.js';
import { eventsSettings } from '../../../services/events/src/settings.js';
import { gatewaySettings } from '../../../services/gateway/src/settings.js';
import { migrationSettings as mirrorMigration, mirrorSettings } from '../../../services/mirror/src/settings.js';
import { migrationSettings as objectsMigration, objectsSettings } from '../../../services/objects/src/settings.js';
import { searchSettings } from '../../../services/search/src/settings.js';
import { whoisSettings } from '../../../services/whois/src/settings.js';
import { projectDirectory, readComposeFile } from './harness/compose-file.js';

// Checks of compose.yaml without a Docker engine; images.test.ts runs it.
const directory = mkdtempSync(join(tmpdir(), 'cadastre-compose-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const file = readComposeFile({ CADASTRE_SECRETS: directory });
const services = Object.entries(file.services);
const ours = services.filter(([, { image }]) => image.startsWith('cadastre-'));

const settings = {
  objects: objectsSettings,
  auth: authSettings,
  search: searchSettings,
  events: eventsSettings,
  whois: whoisSettings,
  mirror: mirrorSettings,
  gateway: gatewaySettings,
  cli: baseSettings,
};
const migrations = { objects: objectsMigration, auth: authMigration, mirror: mirrorMigration };
/** Settings that every service gets, even if it does not use them. */
const shared = [...Object.values(baseSettings).map(({ name }) => name), 'CADASTRE_GRS_SOURCES'].concat(
  ['OBJECTS', 'AUTH', 'SEARCH', 'MIRROR', 'EVENTS'].map((name) => `CADASTRE_${name}_ADDRESS`),
);

describe.each(ours)('%s', (name, service) => {
  test('gets existing settings only', () => {
    const owner = name.replace('migrate-', '');
    const spec = { ...settings[owner as keyof typeof settings], ...migrations[owner as keyof typeof migrations] };
    const known = Object.values(spec).map((one) => (one.secret ? `${one.name}_FILE` : one.name));
    expect([...known, ...shared]).toEqual(expect.arrayContaining(Object.keys(service.environment ?? {})));
  });

  test('gets every setting that it requires', () => {
    const [part, owner] = name.split('-') as [keyof typeof settings, keyof typeof migrations | undefined];
    const required = Object.values(owner ? migrations[owner] : settings[part]).filter((one) => one.required);
    const names = required.map((one) => (one.secret ? `${one.name}_FILE` : one.name));
    expect(Object.keys(service.environment ?? {})).toEqual(expect.arrayContaining(names));
  });

  test('has a read-only file system and no privileges', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
    });
    expect(service).not.toHaveProperty('cap_add');
  });

  test('has the version of the software', () => {
    const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));
    expect(service.image.split(':')[1]).toBe(version);
  });
});

test("every service with the setting of the operator's maintainers gets it", () => {
  const { name } = registrySettings.operatorMaintainers;
  const reported = readComposeFile({ CADASTRE_SECRETS: directory, [name]: 'HM-MNT' }).services;
  const asking = Object.keys(settings).filter((one) =>
    Object.values(settings[one as keyof typeof settings]).some((setting) => setting.name === name),
  );
  expect(asking).toEqual(['objects', 'search']);
  expect(asking.map((one) => reported[one]!.environment![name])).toEqual(asking.map(() => 'HM-MNT'));
});

test('searches and prefix lists have the same ROAs, and one policy about invalid routes', () => {
  const given = { CADASTRE_ROA_SOURCE: '/roas.json', CADASTRE_ROA_POLICY: 'show,TEST=hide' };
  const reported = readComposeFile({ CADASTRE_SECRETS: directory, COMPOSE_PROFILES: 'whois', ...given }).services;
  for (const name of ['search', 'whois']) expect(reported[name]!.environment).toMatchObject(given);
});

test('every service has a limit of memory, ours that of the chart', () => {
  const values = parse(readFileSync(join(projectDirectory, 'deploy/helm/cadastre/values.yaml'), 'utf8'));
  const inChart = (name: string) =>
    values[name.replace(/-.*/, '')].resources?.limits?.memory ?? values.defaults.resources.limits.memory;
  const limits = Object.fromEntries(services.map(([name, { mem_limit }]) => [name, mem_limit]));
  const others = { postgres: '4g', redis: '256m', opensearch: '3g', mailpit: '256m' };
  const expected = ours.map(([name]) => [name, inChart(name).replace('Mi', 'm').replace('Gi', 'g')]);
  expect(limits).toEqual({ ...Object.fromEntries(expected), ...others });
});

test('.env.example names every setting that compose.yaml passes on', () => {
  const read = (name: string) => readFileSync(join(projectDirectory, name), 'utf8');
  const shown = new Set(read('.env.example').match(/(?<=^#)[A-Z0-9_]+(?==)/gm));
  const passed = new Set(read('compose.yaml').match(/(?<=\$\{)[A-Z0-9_]+/g));
  expect([...passed].filter((name) => !shown.has(name))).toEqual([]);
});

test('images of others have the versions that .env.example shows', () => {
  const example = readFileSync(join(projectDirectory, '.env.example'), 'utf8');
  const shown = [...example.matchAll(/^#[A-Z]+_IMAGE=(.*)$/gm)].map(([, image]) => image!);
  const used = services.map(([, { image }]) => image).filter((image) => !image.startsWith('cadastre-'));
  expect(used.filter((image) => !/:.*\d/.test(image))).toEqual([]);
  expect(shown.sort()).toEqual(used.sort());
});

test('OpenSearch has the version that the tests have', () => {
  const pom = readFileSync(join(projectDirectory, 'scripts/opensearch/pom.xml'), 'utf8');
  const [, version] = /<opensearch\.version>(.*)<\/opensearch\.version>/.exec(pom)!;
  const example = readFileSync(join(projectDirectory, '.env.example'), 'utf8');
  const shown = /OPENSEARCH_IMAGE=(.*)/.exec(example)![1];
  expect([file.services.opensearch!.image, shown]).toEqual(Array(2).fill(`opensearchproject/opensearch:${version}`));
});

describe.each(services)('%s', (name, service) => {
  test('reads only secrets that it gets', () => {
    const named = Object.values(service.environment ?? {}).filter((value) => String(value).startsWith('/run/secrets/'));
    expect(service.secrets ?? []).toEqual(
      expect.arrayContaining(named.map((value) => String(value).slice('/run/secrets/'.length))),
    );
  });

  test('shares a network with every service on which it depends', () => {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      if (condition !== 'service_healthy') continue;
      const shared = service.networks.filter((network) => file.services[needed]!.networks.includes(network));
      expect(shared, `with ${needed}`).not.toEqual([]);
    }
  });

  test('is reachable from outside only if it is the gateway or whois, or for trials from this host', () => {
    const ports = service.ports ?? [];
    if (name === 'mailpit') expect(ports).toEqual(['127.0.0.1:8025:8025']);
    else expect(ports.length).toBe({ gateway: 3, whois: 2 }[name] ?? 0);
  });

  test('has a health check if it keeps running, unless its image has no shell-free one', () => {
    const goesOn = service.restart === 'unless-stopped' && name !== 'opensearch';
    expect(service.healthcheck !== undefined).toBe(goesOn);
  });
});

describe('secrets.sh', () => {
  const run = () =>
    execFileSync(join(projectDirectory, 'deploy/compose/secrets.sh'), {
      env: { ...process.env, CADASTRE_SECRETS: directory },
    });
  const secrets = () => Object.entries(file.secrets).map(([name, one]) => [name, readFileSync(one.file, 'utf8')]);

  test('creates every secret of compose.yaml in a private folder, and keeps existing ones', () => {
    run();
    expect(Object.values(file.secrets).filter((one) => !existsSync(one.file))).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const first = secrets();
    run();
    expect(secrets()).toEqual(first);
  });

  test('creates certificates that identify each service', () => {
    for (const name of ['objects', 'auth', 'search', 'events', 'whois', 'mirror', 'gateway', 'operator']) {
      const certificate = join(directory, `tls/${name}.crt`);
      const verified = execFileSync('openssl', [
        'verify',
        '-CAfile',
        join(directory, 'tls/authority.crt'),
        certificate,
      ]);
      const described = execFileSync('openssl', [
        'x509',
        '-in',
        certificate,
        '-noout',
        '-subject',
        '-ext',
        'subjectAltName',
      ]);
      expect(`${verified}${described}`).toMatch(new RegExp(`: OK\\n[^]*CN = ${name}\\n[^]*DNS:${name}\\n`));
    }
  });
});
