import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  ApiKeyServiceService,
  AuthenticationOutcome,
  AuthenticationServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import { AbuseContactServiceService, GeolocationServiceService, ResourceServiceService } from '@cadastre/proto/geo';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import {
  ChangeFeedServiceService,
  type CreateObjectResponse,
  HierarchyServiceService,
  KeyOutcome,
  LookupStatus,
  NotificationServiceService,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
  SourceKind,
  WebhookServiceService,
  type WriteRequest,
} from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import {
  type PageContacts,
  RoaServiceService,
  type SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import type { SetServiceService } from '@cadastre/proto/whois';
import { asciiUpperCase } from '@cadastre/rpsl';
import {
  type AnswerMemory,
  type Call,
  failureOf,
  type Handlers,
  type Logger,
  readSettings,
  ServiceError,
} from '@cadastre/service';
import { inMemoryClient, keepHeadersSecret, keepSecret, testLogger } from '@cadastre/service/testing';
import inject from 'light-my-request';
import { setService } from '../src/backends/connect.js';
import type { Bounds } from '../src/bounds.js';
import { selfSignedFiles, serverCertificate } from '../src/server/certificate.js';
import { createGatewayService, type GatewayService } from '../src/service.js';
import { gatewaySettings } from '../src/settings.js';
import { checkResponse } from './testing.js';

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

/** The handlers of backends in a test; all others fail like an unavailable service. */
export interface Backends {
  reader?: Partial<Handlers<typeof ObjectReaderServiceService>>;
  hierarchy?: Partial<Handlers<typeof HierarchyServiceService>>;
  writer?: Partial<Handlers<typeof ObjectWriterServiceService>>;
  auth?: Partial<Handlers<typeof AuthenticationServiceService>>;
  notifications?: Partial<Handlers<typeof NotificationServiceService>>;
  webhooks?: Partial<Handlers<typeof WebhookServiceService>>;
  feed?: Partial<Handlers<typeof ChangeFeedServiceService>>;
  search?: Partial<Handlers<typeof SearchServiceService>>;
  geolocation?: Partial<Handlers<typeof GeolocationServiceService>>;
  abuseContacts?: Partial<Handlers<typeof AbuseContactServiceService>>;
  resources?: Partial<Handlers<typeof ResourceServiceService>>;
  roa?: Partial<Handlers<typeof RoaServiceService>>;
  apiKeys?: Partial<Handlers<typeof ApiKeyServiceService>>;
  sessions?: Partial<Handlers<typeof SessionServiceService>>;
  signatures?: Partial<Handlers<typeof SignatureServiceService>>;
  /** None unless given. */
  sets?: Partial<Handlers<typeof SetServiceService>>;
  /** None unless given. */
  mirrors?: Partial<Handlers<typeof MirrorServiceService>>;
  /** The logger of the gateway, if a test reads the log. */
  logger?: Logger;
  answerMemory?: AnswerMemory;
}

const away = () => {
  throw new ServiceError('unavailable', 'The service is away');
};

function completed<T>(definition: Record<string, unknown>, given: Partial<T>): T {
  return { ...Object.fromEntries(Object.keys(definition).map((name) => [name, away])), ...given } as T;
}

type Writer = Partial<Handlers<typeof ObjectWriterServiceService>>;

/** `write` of a service for which a test has the plain methods, which do the same. */
function writeOf({ createObject, updateObject, deleteObject, applyChanges }: Writer): Writer['write'] {
  const one = ({ result, storageToday }: CreateObjectResponse) => ({
    results: result === undefined ? [] : [result],
    storageToday,
  });
  const made = async (write: WriteRequest['write'], call: Call) => {
    switch (write?.$case) {
      case 'create':
        return one(await (createObject ?? away)(write.value, call));
      case 'update':
        return one(await (updateObject ?? away)(write.value, call));
      case 'delete':
        return one(await (deleteObject ?? away)(write.value, call));
      case 'apply':
        return (applyChanges ?? away)(write.value, call);
      default:
        throw new Error('a write is missing');
    }
  };
  return async ({ write }, call) => ({
    ...(await made(write, call)),
    keyOutcome: KeyOutcome.KEY_OUTCOME_UNSPECIFIED,
  });
}

type Search = Partial<Handlers<typeof SearchServiceService>>;

/**
 * The first pages of a search service for which a test has `search`: its first message is the first page, and the
 * cursor continues the same stream.
 */
function firstPagesOf({ search, searchFirstPage }: Search): Search {
  if (search === undefined || searchFirstPage !== undefined) return {};
  const open: AsyncIterator<SearchResponse>[] = [];
  return {
    async searchFirstPage({ search: request }, call) {
      try {
        const pages = search(request!, call)[Symbol.asyncIterator]();
        const { value: page, done } = await pages.next();
        if (done) throw new Error('no page');
        open.push(pages);
        return { page, cursor: Buffer.from([open.length]), processingMs: page.processingMs };
      } catch (error) {
        return { cursor: Buffer.alloc(0), failure: failureOf(error) };
      }
    },
    async *search(request) {
      const pages = { [Symbol.asyncIterator]: () => open[request.cursor[0]! - 1]! };
      for await (const page of pages) yield { ...page, contacts: contactsOf(page) };
    },
  };
}

/** The contacts of the objects in one place, as in a brief result. */
function contactsOf({ objects }: SearchResponse): PageContacts {
  const bySource = Map.groupBy(objects, ({ object }) => object!.source);
  const sources = [...bySource].map(([source, found]) => {
    const contacts = found.flatMap(({ object }) => object!.contacts);
    const handles = (type: string) => contacts.filter((one) => one.type === type).map(({ nicHdl }) => nicHdl);
    return { source, persons: handles('person'), roles: handles('role') };
  });
  return { sources };
}

/** A reader with one object, EXAMPLE-MNT, in the source TEST. */
export const exampleReader: Backends['reader'] = {
  listSources: async () => ({
    sources: [
      { name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n },
      { name: 'EXAMPLE-GRS', kind: SourceKind.SOURCE_KIND_GRS, serial: 0n },
    ],
  }),
  batchLookup: async ({ lookups }) => ({
    answers: lookups.map(({ key, view }) => {
      if (key === undefined || asciiUpperCase(key.source) !== 'TEST')
        return { status: LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE };
      if (key.key.toUpperCase() !== mntner.key) return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
      const text = view === View.VIEW_FILTERED ? mntner.text : mntner.text.replace(' # Filtered', '');
      return { status: LookupStatus.LOOKUP_STATUS_FOUND, object: { ...mntner, text } };
    }),
  }),
};

/** An auth service that accepts the credential "good". */
export const exampleAuth: Backends['auth'] = {
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
  /** Sends a request; by default over HTTPS. */
  send(path: string, options?: SendOptions): Promise<Received>;
  /** Sends a GET over HTTP and does not read the response yet. `gone` ends the connection. */
  begin(path: string, headers?: Record<string, string>): { answer: Promise<http.IncomingMessage>; gone(): void };
  stop(): Promise<void>;
}

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  secure?: boolean;
  /**
   * Over a separate connection, for results that the application alone cannot show: its end, the HTTP form of a
   * response.
   */
  connected?: true;
  /** To the port for client certificates, with this one (PEM) if there is one. */
  client?: { cert?: string; key?: string };
  /** To a host that serves RDAP alone. */
  isRdapHost?: true;
}

export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The body, decompressed. */
  text: string;
}

/** The self-signed certificate of all gateways of this process. */
const pair = mkdtemp(join(tmpdir(), 'gateway-')).then(async (dataDirectory) => {
  const none = { certificateFile: undefined, certificateKeyFile: undefined };
  const made = await serverCertificate({ ...none, dataDirectory }, testLogger());
  await rm(dataDirectory, { recursive: true });
  return made;
});

/** The time of clients' limits. */
const beginning = new Date();

/**
 * A gateway on free ports with these backends. Unless a test has a clock for its limits, no second, minute or day ends
 * while it runs.
 */
export async function startGateway(
  backends: Backends = { reader: exampleReader, auth: exampleAuth },
  env: Record<string, string> = {},
  now = () => beginning,
  bounds?: Partial<Bounds>,
): Promise<RunningGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  const removeDirectory = () => rm(directory, { recursive: true });
  try {
    const gateway = await createGateway(directory, { backends, env, now, bounds });
    await gateway.start();
    return {
      gateway,
      send: (path, options) => send(gateway, path, options),
      begin: (path, headers = {}) => begin(gateway.ports().http, path, headers),
      stop: async () => {
        await gateway.stop();
        await removeDirectory();
      },
    };
  } catch (error) {
    await removeDirectory();
    throw error;
  }
}

interface GatewayParts {
  readonly backends: Backends;
  readonly env: Record<string, string>;
  readonly now: () => Date;
  readonly bounds: Partial<Bounds> | undefined;
}

async function createGateway(directory: string, { backends, env, now, bounds }: GatewayParts): Promise<GatewayService> {
  const [files, { cert, key }] = [selfSignedFiles(directory), await pair];
  await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
  const settings = readSettings(gatewaySettings, {
    CADASTRE_HTTP_PORT: '0',
    CADASTRE_HTTPS_PORT: '0',
    CADASTRE_CERT_PORT: '0',
    CADASTRE_BIND_ADDRESS: '127.0.0.1',
    CADASTRE_GATEWAY_DRAIN: '0s',
    CADASTRE_DATA_DIR: directory,
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:1',
    CADASTRE_AUTH_ADDRESS: '127.0.0.1:1',
    CADASTRE_SEARCH_ADDRESS: '127.0.0.1:1',
    CADASTRE_GEO_ADDRESS: '127.0.0.1:1',
    // Other tests may load the machine; those of overload set their own.
    CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '60s',
    ...env,
    // Tests send more than a client does, and on a busy machine all work takes long; those of the limits set their own.
    CADASTRE_LIMITS: `queries=-1 searches=-1 updates=-1 processing=-1, ${env.CADASTRE_LIMITS ?? ''}`,
  });
  const {
    reader = {},
    hierarchy = {},
    writer = {},
    auth = {},
    feed = {},
    search = {},
    geolocation = {},
    abuseContacts = {},
    resources = {},
    roa = {},
    apiKeys = {},
    sessions = {},
    signatures = {},
    notifications = {},
    webhooks = {},
    sets,
    mirrors,
  } = backends;
  return createGatewayService(settings, {
    reader: inMemoryClient(ObjectReaderServiceService, completed(ObjectReaderServiceService, reader)),
    hierarchy: inMemoryClient(HierarchyServiceService, completed(HierarchyServiceService, hierarchy)),
    writer: inMemoryClient(
      ObjectWriterServiceService,
      completed(ObjectWriterServiceService, { write: writeOf(writer), ...writer }),
    ),
    auth: inMemoryClient(AuthenticationServiceService, completed(AuthenticationServiceService, auth)),
    feed: inMemoryClient(ChangeFeedServiceService, completed(ChangeFeedServiceService, feed)),
    search: inMemoryClient(
      SearchServiceService,
      completed(SearchServiceService, { ...search, ...firstPagesOf(search) } as object),
    ),
    geolocation: inMemoryClient(GeolocationServiceService, completed(GeolocationServiceService, geolocation)),
    abuseContacts: inMemoryClient(AbuseContactServiceService, completed(AbuseContactServiceService, abuseContacts)),
    resources: inMemoryClient(ResourceServiceService, completed(ResourceServiceService, resources)),
    roa: inMemoryClient(RoaServiceService, completed(RoaServiceService, roa)),
    apiKeys: inMemoryClient(ApiKeyServiceService, completed(ApiKeyServiceService, apiKeys)),
    notifications: inMemoryClient(NotificationServiceService, completed(NotificationServiceService, notifications)),
    webhooks: inMemoryClient(WebhookServiceService, completed(WebhookServiceService, webhooks)),
    sessions: inMemoryClient(SessionServiceService, completed(SessionServiceService, sessions)),
    signatures: inMemoryClient(SignatureServiceService, completed(SignatureServiceService, signatures)),
    // The gateway leaves the messages of some methods encoded.
    ...(sets && { sets: inMemoryClient(setService, completed(setService, sets as object)) }),
    ...(mirrors && { mirrors: inMemoryClient(MirrorServiceService, completed(MirrorServiceService, mirrors)) }),
    logger: backends.logger ?? testLogger(),
    ...(backends.answerMemory && { answerMemory: backends.answerMemory }),
    now,
    ...(bounds ? { bounds } : {}),
  });
}

/** Sends a request over a connection where that matters to the test, else directly to the application. */
async function send(gateway: GatewayService, path: string, options: SendOptions = {}): Promise<Received> {
  const { method = 'GET', headers = {}, secure = true, client, connected = !secure || client !== undefined } = options;
  keepHeadersSecret(headers);
  keepSecret(client?.key);
  const sent = { path, method, headers, body: options.body };
  const { bytes, ...response } = await (connected ? connect(gateway, sent, options) : dispatch(gateway, sent));
  const text = decoded(bytes, response.headers['content-encoding']).toString('utf8');
  const described = options.isRdapHost && !path.startsWith('/rdap') ? `/rdap${path}` : path;
  checkResponse({ method, path: described, ...response, text });
  return { ...response, text };
}

interface Sent {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

interface RawResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
}

function connect(
  gateway: GatewayService,
  { body, ...sent }: Sent,
  { secure = true, client }: SendOptions,
): Promise<RawResponse> {
  const ports = gateway.ports();
  const target = { host: '127.0.0.1', agent: false as const, ...sent };
  const securely = { ...target, ...client, port: client ? ports.certificate : ports.https, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = secure ? https.request(securely) : http.request({ ...target, port: ports.http });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
      });
    });
    request.end(body);
  });
}

/** Like the listener for HTTPS, with the URL unchanged. */
async function dispatch(gateway: GatewayService, { path, method, headers, body }: Sent): Promise<RawResponse> {
  const localPort = gateway.ports().https;
  const response = await inject(
    (request, response) => {
      const socket = { encrypted: true, localPort, getPeerX509Certificate: () => undefined, setTimeout: () => {} };
      Object.assign(request, { url: path });
      Object.assign(request.socket, socket);
      gateway.handle(request as http.IncomingMessage, response);
    },
    { method: method as 'GET', path: '/', headers: { host: `127.0.0.1:${localPort}`, ...headers }, payload: body },
  );
  const cookies = response.headers['set-cookie'];
  const received = cookies === undefined ? response.headers : { ...response.headers, 'set-cookie': [cookies].flat() };
  return {
    status: response.statusCode,
    headers: received as http.IncomingHttpHeaders,
    bytes: response.rawPayload,
  };
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  return coding === undefined || bytes.length === 0 ? bytes : decoders[coding]!(bytes);
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
