import { baseSettings, setting, type Values } from '@cadastre/service';
import { limitSettings } from './limits/limit-settings.js';

/** What is listened on. */
const listenerSettings = {
  httpPort: setting.port({
    name: 'CADASTRE_HTTP_PORT',
    doc: 'Port for HTTP (reads only); 0 takes a free one.',
    default: 8080,
  }),
  httpsPort: setting.port({ name: 'CADASTRE_HTTPS_PORT', doc: 'Port for HTTPS; 0 takes a free one.', default: 8443 }),
  certPort: setting.port({
    name: 'CADASTRE_CERT_PORT',
    doc: 'Port for HTTPS with client certificates, commonly 8444; 0 takes a free one; not listened on unless set.',
    optional: true,
  }),
  bindAddress: setting.text({
    name: 'CADASTRE_BIND_ADDRESS',
    doc: 'Address to listen on; all addresses of the machine unless set.',
    optional: true,
  }),
  operationsAddress: setting.address({
    name: 'CADASTRE_GATEWAY_OPERATIONS',
    doc: 'Address of the port for health and metrics; none unless set.',
    optional: true,
  }),
  connections: setting.integer({
    name: 'CADASTRE_GATEWAY_CONNECTIONS',
    doc: 'Most connections to each port at a time; more are closed at once.',
    default: 10_000,
    min: 1,
  }),
  requestsPerConnection: setting.integer({
    name: 'CADASTRE_GATEWAY_REQUESTS_PER_CONNECTION',
    doc: 'Most requests on one HTTP/1.1 connection: the answer to the last one says that it is to be closed; 0 for any number.',
    default: 10_000,
  }),
  drain: setting.duration({
    name: 'CADASTRE_GATEWAY_DRAIN',
    doc: 'How long requests are still taken after SIGTERM, while every answer tells its client to connect elsewhere.',
    default: '3s',
  }),
};

/** The certificate for HTTPS. */
const certificateSettings = {
  certificateFile: setting.text({
    name: 'CADASTRE_HTTPS_CERT_FILE',
    doc: 'Certificate (PEM, with its chain) for HTTPS; without it a self-signed one is made.',
    optional: true,
  }),
  certificateKeyFile: setting.text({
    name: 'CADASTRE_HTTPS_KEY_FILE',
    doc: 'Private key (PEM) of the certificate for HTTPS.',
    optional: true,
  }),
  certificateCheck: setting.duration({
    name: 'CADASTRE_HTTPS_CERT_CHECK',
    doc: 'How often the files of the certificate for HTTPS are looked at for a new one.',
    default: '30s',
  }),
  dataDirectory: setting.text({
    name: 'CADASTRE_DATA_DIR',
    doc: 'Where the self-signed certificate is kept when no certificate is set.',
    default: '.data',
  }),
};

/** What is believed of the proxies in front. */
const proxySettings = {
  trustedProxies: setting.list({
    name: 'CADASTRE_TRUSTED_PROXIES',
    doc: 'Addresses and prefixes of the proxies in front, who say who the client is, by which scheme, and the request id; nobody by default.',
    default: [],
  }),
  forwardingHeaders: setting.oneOf(['x-forwarded', 'forwarded'], {
    name: 'CADASTRE_FORWARDING_HEADERS',
    doc: 'What the trusted proxies write: X-Forwarded-For and X-Forwarded-Proto, or Forwarded (RFC 7239). The other one is not looked at.',
    default: 'x-forwarded',
  }),
  clientCertFrom: setting.list({
    name: 'CADASTRE_GATEWAY_CLIENT_CERT_FROM',
    doc: 'Addresses and prefixes of proxies whose header Client-Cert (RFC 9440) is believed, over HTTPS; nobody by default.',
    default: [],
  }),
};

/** Where the other services are. */
const neighbourSettings = {
  objectsAddress: setting.peerAddress({ name: 'CADASTRE_OBJECTS_ADDRESS', doc: 'Where the objects service listens.' }),
  authAddress: setting.peerAddress({ name: 'CADASTRE_AUTH_ADDRESS', doc: 'Where the auth service listens.' }),
  searchAddress: setting.peerAddress({ name: 'CADASTRE_SEARCH_ADDRESS', doc: 'Where the search service listens.' }),
  geoAddress: setting.peerAddress({ name: 'CADASTRE_GEO_ADDRESS', doc: 'Where the geo service listens.' }),
};

/** What answers tell about this registry. */
const answerSettings = {
  baseUrl: setting.url({
    name: 'CADASTRE_BASE_URL',
    doc: 'Public URL of this service, for the links in answers; else "localhost" and the port of the request.',
    optional: true,
  }),
  termsUrl: setting.url({
    name: 'CADASTRE_TERMS_URL',
    doc: "URL of the registry's terms and conditions, named in every answer.",
    default: 'https://www.example.net/terms-and-conditions',
  }),
  buildTime: setting.text({
    name: 'CADASTRE_BUILD_TIME',
    doc: 'When this software was built, for the element "version" of answers.',
    optional: true,
  }),
  buildCommit: setting.text({
    name: 'CADASTRE_BUILD_COMMIT',
    doc: 'What this software was built from, for the element "version" of answers.',
    optional: true,
  }),
  webDirectory: setting.text({
    name: 'CADASTRE_WEB_DIR',
    doc: 'Directory of the built web interface (web/dist), which is served at "/"; there are no pages unless set.',
    optional: true,
  }),
};

/** What one request may bring. */
const requestBounds = {
  headerBytes: setting.integer({
    name: 'CADASTRE_GATEWAY_HEADER_BYTES',
    doc: 'Largest request line and headers together, in bytes.',
    default: 16 * 1024,
    min: 4096,
  }),
  urlBytes: setting.integer({
    name: 'CADASTRE_GATEWAY_URL_BYTES',
    doc: 'Longest path and query of a request together, in bytes.',
    default: 8 * 1024,
    min: 1024,
  }),
  parameters: setting.integer({
    name: 'CADASTRE_GATEWAY_PARAMETERS',
    doc: 'Most query parameters of one request.',
    default: 200,
    min: 20,
  }),
  bodyBytes: setting.integer({
    name: 'CADASTRE_GATEWAY_BODY_BYTES',
    doc: 'Largest request body in bytes.',
    default: 5 * 1024 * 1024,
    min: 1024,
    max: 12 * 1024 * 1024,
  }),
  bodyObjects: setting.integer({
    name: 'CADASTRE_GATEWAY_BODY_OBJECTS',
    doc: 'Most objects in one request body. In updates as text each is a write of its own.',
    default: 100,
    min: 2,
  }),
  bodyDepth: setting.integer({
    name: 'CADASTRE_GATEWAY_BODY_DEPTH',
    doc: 'How deep elements or values in a request body may be nested.',
    default: 32,
    min: 8,
    max: 1000,
  }),
  bodyAttributes: setting.integer({
    name: 'CADASTRE_GATEWAY_BODY_ATTRIBUTES',
    doc: 'Most attributes in one request body.',
    default: 25_000,
    min: 1,
  }),
};

/** How long things may take. */
const deadlineSettings = {
  requestTimeout: setting.duration({
    name: 'CADASTRE_GATEWAY_REQUEST_TIMEOUT',
    doc: 'How long a client may take to send a whole request.',
    default: '30s',
  }),
  readDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_READ_DEADLINE',
    doc: 'How long a read may take.',
    default: '5s',
  }),
  writeDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_WRITE_DEADLINE',
    doc: 'How long a write may take.',
    default: '8s',
  }),
  searchDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_SEARCH_DEADLINE',
    doc: 'How long a search may take until its first objects are there.',
    default: '15s',
  }),
  streamDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_STREAM_DEADLINE',
    doc: 'How long a whole search may take, the sending of its result included.',
    default: '10m',
  }),
  stallTimeout: setting.duration({
    name: 'CADASTRE_GATEWAY_STALL_TIMEOUT',
    doc: 'How long a client may take nothing of a result that is being sent, before its connection is closed.',
    default: '60s',
  }),
  slowRequest: setting.duration({
    name: 'CADASTRE_GATEWAY_SLOW_REQUEST',
    doc: 'Requests that take longer are logged at level warn.',
    default: '2s',
  }),
};

/** How much is done at a time, and kept. */
const loadSettings = {
  requests: setting.integer({
    name: 'CADASTRE_GATEWAY_REQUESTS',
    doc: 'Most requests under way at a time, searches and answers from the cache not counted; more are answered 503.',
    default: 2_000,
    min: 1,
  }),
  searches: setting.integer({
    name: 'CADASTRE_GATEWAY_SEARCHES',
    doc: 'Most searches under way at a time; more are answered 503.',
    default: 200,
    min: 1,
  }),
  eventLoopDelay: setting.duration({
    name: 'CADASTRE_GATEWAY_EVENT_LOOP_DELAY',
    doc: 'How late this process may be, on average over a second, before requests are answered 503.',
    default: '1s',
  }),
  cacheBytes: setting.integer({
    name: 'CADASTRE_GATEWAY_CACHE_BYTES',
    doc: 'Memory for rendered lookups in bytes; 0 switches the cache off.',
    default: 64 * 1024 * 1024,
  }),
};

/** The settings of the gateway. */
export const gatewaySettings = {
  ...baseSettings,
  ...listenerSettings,
  ...certificateSettings,
  ...proxySettings,
  ...neighbourSettings,
  ...answerSettings,
  ...requestBounds,
  ...deadlineSettings,
  ...loadSettings,
  ...limitSettings,
};

/** The gateway's settings as read. */
export type GatewaySettings = Values<typeof gatewaySettings>;
