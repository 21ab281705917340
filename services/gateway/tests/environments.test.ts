import { LookupStatus, SourceKind } from '@cadastre/proto/objects';
import type { SearchRequest } from '@cadastre/proto/search';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedClient } from './client-identity.fixture.js';
import { exampleAuth, mntner, type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

/** A registry with one main source, which the backends have, and the same object in it. */
async function startEnvironment(source: string, env: Record<string, string>) {
  const object = { ...mntner, source, text: mntner.text.replace('TEST # F', `${source} # F`) };
  const searches: SearchRequest[] = [];
  const gateway = await startGateway(
    {
      auth: exampleAuth,
      reader: {
        listSources: async () => ({ sources: [{ name: source, kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n }] }),
        batchLookup: async ({ lookups }) => ({
          answers: lookups.map(({ key }) =>
            key?.source.toUpperCase() === source
              ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object }
              : { status: LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE },
          ),
        }),
      },
      search: {
        async *search(request) {
          searches.push(request);
          const found = { object, related: false, managedAttributes: [], managedMaintainers: [], messages: [] };
          yield { objects: [found], flags: [], messages: [], serial: 7n };
        },
      },
    },
    { CADASTRE_SOURCE: source, ...env },
  );
  return { gateway, searches };
}

const alice = await selfSignedClient('alice');
const listeners: [string, SendOptions][] = [
  ['HTTP', { secure: false }],
  ['HTTPS', {}],
  ['HTTPS for client certificates, without one', { client: {} }],
];

interface Environment {
  name: string;
  source: string;
  other: string;
  env: Record<string, string>;
  /** Base of the links of a listener. */
  base(port: number, scheme: string): string;
}

describe.each<Environment>([
  {
    name: 'production',
    source: 'EXAMPLE',
    other: 'TEST',
    env: { CADASTRE_ENVIRONMENT: 'production', CADASTRE_BASE_URL: 'https://rest.example.net/' },
    base: () => 'https://rest.example.net',
  },
  {
    name: 'TEST',
    source: 'TEST',
    other: 'EXAMPLE',
    env: { CADASTRE_ENVIRONMENT: 'test' },
    base: (port: number, scheme: string) => `${scheme}://localhost:${port}`,
  },
])('the $name environment', ({ source, other, env, base }) => {
  let gateway: RunningGateway;
  let searches: SearchRequest[];
  beforeAll(async () => {
    ({ gateway, searches } = await startEnvironment(source, env));
  });
  afterAll(() => gateway.stop());
  const portOf = ({ secure = true, client }: SendOptions) => {
    const ports = gateway.gateway.ports();
    return client ? ports.certificate! : secure ? ports.https : ports.http;
  };

  it.each(listeners)('answers lookups by %s, with links of its own', async (_name, options) => {
    const url = base(portOf(options), options.secure === false ? 'http' : 'https');
    const { status, text } = await gateway.send(`/${source}/mntner/EXAMPLE-MNT.json`, options);
    expect(status).toBe(200);
    const [object] = JSON.parse(text).objects.object;
    expect(object.source).toEqual({ id: source.toLowerCase() });
    expect(object.link.href).toBe(`${url}/${source.toLowerCase()}/mntner/EXAMPLE-MNT`);
    expect(JSON.parse((await gateway.send('/metadata/sources.json', options)).text)).toMatchObject({
      link: { href: `${url}/metadata/sources` },
      sources: {
        source: [
          { name: source, id: source.toLowerCase() },
          { name: `${source}-NONAUTH`, id: `${source.toLowerCase()}-nonauth` },
        ],
      },
    });
  });

  it('accepts writes by HTTPS alone', async () => {
    const statuses = listeners.map(async ([, options]) => {
      return (await gateway.send(`/${source}/mntner/EXAMPLE-MNT`, { ...options, method: 'PUT' })).status;
    });
    expect(await Promise.all(statuses)).toEqual([426, 415, 415]);
  });

  it('requests client certificates on their port alone', async () => {
    const got = await gateway.send(`/${source}/mntner/EXAMPLE-MNT`, { client: alice });
    // The example auth service supports no certificates.
    expect(got.status).toBe(401);
  });

  it('has no source but its own', async () => {
    expect((await gateway.send(`/${other}/mntner/EXAMPLE-MNT`)).status).toBe(400);
  });

  it('leaves it to the search service which source a search without one is about', async () => {
    const { text } = await gateway.send('/search.json?query-string=EXAMPLE-MNT');
    expect(searches.at(-1)?.sources).toEqual([]);
    expect(JSON.parse(text).objects.object[0].source).toEqual({ id: source.toLowerCase() });
  });

  it('names its own source in templates', async () => {
    const { text } = await gateway.send('/metadata/templates/mntner.json');
    expect(JSON.parse(text).templates.template[0].source).toEqual({ id: source.toLowerCase() });
  });
});
