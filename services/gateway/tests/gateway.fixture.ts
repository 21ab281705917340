import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApiKeyServiceService,
  AuthenticationOutcome,
  AuthenticationServiceService,
  BlockListServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import {
  ChangeFeedServiceService,
  LookupStatus,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
  SourceKind,
} from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { SearchServiceService } from '@cadastre/proto/search';
import { type Handlers, readSettings, ServiceError } from '@cadastre/service';
import { inMemoryClient, keepHeadersSecret, keepSecret, testLogger } from '@cadastre/service/testing';
import { createGatewayService, type GatewayService, gatewaySettings } from '../src/service.js';
import { checkResponse } from '../src/testing.js';

export const mntner: RegistryObject = {
  source: 'TEST',
  type: 'mntner',
  key: 'EXAMPLE-MNT',
  text: 'mntner:         EXAMPLE-MNT\nadmin-c:        EX1-TEST\nmnt-by:         EXAMPLE-MNT\nsource:         TEST # Filtered\n',
  revision: 3,
  serial: 7n,
  contacts: [{ nicHdl: 'ex1-test', type: 'person' }],
  tags: [],
};

/** The neighbours' handlers that a test gives; all others fail as if the neighbour were away. */
export interface Neighbours {
  reader?: Partial<Handlers<typeof ObjectReaderServiceService>>;
  writer?: Partial<Handlers<typeof ObjectWriterServiceService>>;
  auth?: Partial<Handlers<typeof AuthenticationServiceService>>;
  feed?: Partial<Handlers<typeof ChangeFeedServiceService>>;
  search?: Partial<Handlers<typeof SearchServiceService>>;
  geolocation?: Partial<Handlers<typeof GeolocationServiceService>>;
  abuseContacts?: Partial<Handlers<typeof AbuseContactServiceService>>;
  apiKeys?: Partial<Handlers<typeof ApiKeyServiceService>>;
  blocks?: Partial<Handlers<typeof BlockListServiceService>>;
  sessions?: Partial<Handlers<typeof SessionServiceService>>;
  signatures?: Partial<Handlers<typeof SignatureServiceService>>;
}

const away = () => {
  throw new ServiceError('unavailable', 'The service is away');
};

function completed<T>(definition: Record<string, unknown>, given: Partial<T>): T {
  return { ...Object.fromEntries(Object.keys(definition).map((name) => [name, away])), ...given } as T;
}

/** A reader with one object, EXAMPLE-MNT, in the source TEST. */
export const exampleReader: Neighbours['reader'] = {
  listSources: async () => ({
    sources: [
      { name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n },
      { name: 'EXAMPLE-GRS', kind: SourceKind.SOURCE_KIND_GRS, serial: 0n },
    ],
  }),
  batchLookup: async ({ lookups }) => ({
    answers: lookups.map(({ key, view }) => {
      if (key?.source.toUpperCase() !== 'TEST') return { status: LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE };
      if (key.key.toUpperCase() !== mntner.key) return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
      const text = view === View.VIEW_FILTERED ? mntner.text : mntner.text.replace(' # Filtered', '');
      return { status: LookupStatus.LOOKUP_STATUS_FOUND, object: { ...mntner, text } };
    }),
  }),
};

/** An auth service that knows the credential "good". */
export const exampleAuth: Neighbours['auth'] = {
  authenticate: async ({ basic }) =>
    basic === 'good'
      ? {
          outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
          principal: {
            credentials: [],
            accountId: '1',
            accountName: 'alice@example.net',
            apiKeyId: 'k',
            maintainers: [],
            keyFingerprints: [],
          },
          messages: [],
        }
      : { outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED, messages: [] },
};

export interface RunningGateway {
  gateway: GatewayService;
  /** Sends a request; over HTTPS unless told. */
  send(path: string, options?: SendOptions): Promise<Received>;
  /** Sends a GET over HTTP whose answer is not read yet. `gone` ends the connection. */
  begin(path: string, headers?: Record<string, string>): { answer: Promise<http.IncomingMessage>; gone(): void };
  stop(): Promise<void>;
}

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  secure?: boolean;
  /** To the port for client certificates, showing this one (PEM) if one is given. */
  client?: { cert?: string; key?: string };
}

export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A gateway on free ports with the neighbours given. */
export async function startGateway(
  neighbours: Neighbours = { reader: exampleReader, auth: exampleAuth },
  env: Record<string, string> = {},
  now?: () => Date,
): Promise<RunningGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  const settings = readSettings(gatewaySettings, {
    CADASTRE_HTTP_PORT: '0',
    CADASTRE_HTTPS_PORT: '0',
    CADASTRE_CERT_PORT: '0',
    CADASTRE_BIND_ADDRESS: '127.0.0.1',
    CADASTRE_DATA_DIR: directory,
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:1',
    CADASTRE_AUTH_ADDRESS: '127.0.0.1:1',
    CADASTRE_SEARCH_ADDRESS: '127.0.0.1:1',
    CADASTRE_GEO_ADDRESS: '127.0.0.1:1',
    ...env,
  });
  const {
    reader = {},
    writer = {},
    auth = {},
    feed = {},
    search = {},
    geolocation = {},
    abuseContacts = {},
    apiKeys = {},
    blocks = {},
    sessions = {},
    signatures = {},
  } = neighbours;
  const gateway = await createGatewayService(settings, {
    reader: inMemoryClient(ObjectReaderServiceService, completed(ObjectReaderServiceService, reader)),
    writer: inMemoryClient(ObjectWriterServiceService, completed(ObjectWriterServiceService, writer)),
    auth: inMemoryClient(AuthenticationServiceService, completed(AuthenticationServiceService, auth)),
    feed: inMemoryClient(ChangeFeedServiceService, completed(ChangeFeedServiceService, feed)),
    search: inMemoryClient(SearchServiceService, completed(SearchServiceService, search)),
    geolocation: inMemoryClient(GeolocationServiceService, completed(GeolocationServiceService, geolocation)),
    abuseContacts: inMemoryClient(AbuseContactServiceService, completed(AbuseContactServiceService, abuseContacts)),
    apiKeys: inMemoryClient(ApiKeyServiceService, completed(ApiKeyServiceService, apiKeys)),
    blocks: inMemoryClient(BlockListServiceService, completed(BlockListServiceService, blocks)),
    sessions: inMemoryClient(SessionServiceService, completed(SessionServiceService, sessions)),
    signatures: inMemoryClient(SignatureServiceService, completed(SignatureServiceService, signatures)),
    logger: testLogger(),
    ...(now ? { now } : {}),
  });
  await gateway.start();
  return {
    gateway,
    send: (path, options) => send(gateway, path, options),
    begin: (path, headers = {}) => begin(gateway.ports().http, path, headers),
    stop: async () => {
      await gateway.stop();
      await rm(directory, { recursive: true });
    },
  };
}

function send(gateway: GatewayService, path: string, options: SendOptions = {}): Promise<Received> {
  const { method = 'GET', headers = {}, body, secure = true, client } = options;
  const ports = gateway.ports();
  keepHeadersSecret(headers);
  keepSecret(client?.key);
  const target = { host: '127.0.0.1', path, method, headers, agent: false as const };
  return new Promise((resolve, reject) => {
    const request = secure
      ? https.request({
          ...target,
          ...client,
          port: client ? ports.certificate : ports.https,
          rejectUnauthorized: false,
        })
      : http.request({ ...target, port: ports.http });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const received = { status, headers, text: Buffer.concat(chunks).toString('utf8') };
        try {
          checkResponse({ method, path, ...received });
          resolve(received);
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end(body);
  });
}

function begin(port: number, path: string, headers: Record<string, string>) {
  const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false });
  const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  answer.catch(() => {});
  return { answer, gone: () => void request.destroy() };
}
