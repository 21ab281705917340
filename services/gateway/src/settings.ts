import { addressSettings, baseSettings, setting, termsSettings, type Values } from '@cadastre/service';
import type { Bounds } from './bounds.js';

/** Ports and connections. */
const listenerSettings = {
  httpPort: setting.port({
    name: 'CADASTRE_HTTP_PORT',
    doc: 'Port for HTTP (reads only); 0 takes a free one.',
    default: 8080,
  }),
  httpsPort: setting.port({ name: 'CADASTRE_HTTPS_PORT', doc: 'Port for HTTPS; 0 takes a free one.', default: 8443 }),
  certPort: setting.port({
    name: 'CADASTRE_CERT_PORT',
    doc: 'Port for HTTPS with client certificates, commonly 8444; 0 takes a free one; default: none.',
    optional: true,
  }),
  bindAddress: setting.text({
    name: 'CADASTRE_BIND_ADDRESS',
    doc: 'Address to listen on; default: all addresses of the machine.',
    optional: true,
  }),
  connections: setting.integer({
    name: 'CADASTRE_GATEWAY_CONNECTIONS',
    doc: 'Maximum concurrent connections to each port; the gateway closes further ones immediately.',
    default: 10_000,
    min: 1,
  }),
  drain: setting.duration({
    name: 'CADASTRE_GATEWAY_DRAIN',
    doc: 'How long the gateway accepts requests after SIGTERM; each response asks the client to open a new connection.',
    default: '3s',
  }),
};

/** The certificate for HTTPS. */
const certificateSettings = {
  certificateFile: setting.text({
    name: 'CADASTRE_HTTPS_CERT_FILE',
    doc: 'Certificate (PEM, with its chain) for HTTPS; default: a self-signed one, which the gateway creates.',
    optional: true,
  }),
  certificateKeyFile: setting.text({
    name: 'CADASTRE_HTTPS_KEY_FILE',
    doc: 'Private key (PEM) of the certificate for HTTPS.',
    optional: true,
  }),
  dataDirectory: setting.text({
    name: 'CADASTRE_DATA_DIR',
    doc: 'Directory of the self-signed certificate.',
    default: '.data',
  }),
};

/** Proxies in front of the gateway, and the headers that it trusts. */
const proxySettings = {
  trustedProxies: setting.list({
    name: 'CADASTRE_TRUSTED_PROXIES',
    doc: 'Addresses and prefixes of proxies that the gateway trusts to name the client, the scheme and the request id.',
    default: [],
  }),
  forwardingHeaders: setting.oneOf(['x-forwarded', 'forwarded'], {
    name: 'CADASTRE_FORWARDING_HEADERS',
    doc: 'Headers that the trusted proxies set: X-Forwarded-For and X-Forwarded-Proto, or Forwarded (RFC 7239). The gateway ignores the others.',
    default: 'x-forwarded',
  }),
  proxyProtocolFrom: setting.list({
    name: 'CADASTRE_GATEWAY_PROXY_PROTOCOL_FROM',
    doc: 'Addresses and prefixes of load balancers whose connections begin with a header of the PROXY protocol (version 1 or 2), which names the client; the gateway closes their other connections.',
    default: [],
  }),
  clientCertFrom: setting.list({
    name: 'CADASTRE_GATEWAY_CLIENT_CERT_FROM',
    doc: 'Addresses and prefixes of proxies whose header Client-Cert (RFC 9440) the gateway trusts, over HTTPS.',
    default: [],
  }),
};

/** What responses say about this registry. */
const responseSettings = {
  baseUrl: setting.url({
    name: 'CADASTRE_BASE_URL',
    doc: 'Public URL of this service, for links in responses; default: "localhost" and the port of the request.',
    optional: true,
  }),
  ...termsSettings,
  webDirectory: setting.text({
    name: 'CADASTRE_WEB_DIR',
    doc: 'Directory of the built web interface (web/dist), served at "/"; default: no web interface.',
    optional: true,
  }),
  trialMailsDirectory: setting.text({
    name: 'CADASTRE_TRIAL_MAILS_DIR',
    doc: 'Directory into which the events service of a trial writes its mails, which the web interface shows to browsers on the same machine; default: none. Not in production.',
    optional: true,
  }),
};

/** RDAP. */
const rdapSettings = {
  rdapHosts: setting.list({
    name: 'CADASTRE_RDAP_HOSTS',
    doc: 'Host names that serve RDAP alone, without the path /rdap: https://rdap.example.net/ip/192.0.2.1. Default: none; every other host has RDAP at /rdap.',
    default: [],
  }),
  rdapRedirectsDirectory: setting.text({
    name: 'CADASTRE_RDAP_REDIRECTS_DIR',
    doc: 'Directory with bootstrap files (RFC 9224) of other registries, to which RDAP redirects requests for what is not registered here; those of IANA, or of "cadastre rdap redirects". Default: none.',
    optional: true,
  }),
  rdapBootstrapDirectory: setting.text({
    name: 'CADASTRE_RDAP_BOOTSTRAP_DIR',
    doc: 'Directory with the bootstrap files of this registry, which "cadastre rdap bootstrap" makes and the gateway serves at /rdap/bootstrap/; default: none.',
    optional: true,
  }),
  rdapInaccuracyUrl: setting.url({
    name: 'CADASTRE_RDAP_INACCURACY_URL',
    doc: 'URL of the page on which anyone reports wrong data, for a notice in RDAP documents; default: none.',
    optional: true,
  }),
  whoisHost: setting.text({
    name: 'CADASTRE_WHOIS_HOST',
    doc: 'Host name of the whois service (port 43) of this registry, which RDAP documents contain; default: none.',
    optional: true,
  }),
};

/** Deadlines. */
const deadlineSettings = {
  readDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_READ_DEADLINE',
    doc: 'Maximum duration of a read.',
    default: '5s',
  }),
  writeDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_WRITE_DEADLINE',
    doc: 'Maximum duration of a write.',
    default: '8s',
  }),
  searchDeadline: setting.duration({
    name: 'CADASTRE_GATEWAY_SEARCH_DEADLINE',
    doc: 'Maximum time until a search finds its first objects.',
    default: '15s',
  }),
};

/** Concurrency, overload and the cache. */
const loadSettings = {
  requests: setting.integer({
    name: 'CADASTRE_GATEWAY_REQUESTS',
    doc: 'Maximum concurrent requests, without searches, change streams and cached responses; further ones get 503.',
    default: 2_000,
    min: 1,
  }),
  searches: setting.integer({
    name: 'CADASTRE_GATEWAY_SEARCHES',
    doc: 'Maximum concurrent searches; further ones get 503.',
    default: 200,
    min: 1,
  }),
  streams: setting.integer({
    name: 'CADASTRE_GATEWAY_STREAMS',
    doc: 'Maximum concurrent change streams; further ones get 503.',
    default: 200,
    min: 1,
  }),
  eventLoopDelay: setting.duration({
    name: 'CADASTRE_GATEWAY_EVENT_LOOP_DELAY',
    doc: 'Mean delay of the event loop, over one second, above which requests get 503.',
    default: '1s',
  }),
  cacheBytes: setting.integer({
    name: 'CADASTRE_GATEWAY_CACHE_BYTES',
    doc: 'Memory for rendered lookups in bytes; 0 switches the cache off.',
    default: 64 * 1024 * 1024,
  }),
};

/** Query limits; -1 means no limit. */
const limitSettings = {
  personalObjects: setting.integer({
    name: 'CADASTRE_LIMITS_PERSONAL_OBJECTS',
    doc: 'Persons and roles that a client may see in one day (UTC); -1: no limit.',
    default: 5000,
    min: -1,
  }),
  queriesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_QUERIES',
    doc: 'Reads that a client may send per second, ten times as many for accounts; -1: no limit.',
    default: 50,
    min: -1,
  }),
  searchesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_SEARCHES',
    doc: 'Searches that a client may send per second, ten times as many for accounts; they also count as reads. -1: no limit.',
    default: 20,
    min: -1,
  }),
  updatesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_UPDATES',
    doc: 'Writes that a client may send per second, ten times as many for accounts; -1: no limit.',
    default: 10,
    min: -1,
  }),
  concurrentRequests: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_REQUESTS',
    doc: 'Concurrent requests of a client at one gateway; -1: no limit.',
    default: 100,
    min: -1,
  }),
  concurrentSearches: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_SEARCHES',
    doc: 'Concurrent searches of a client at one gateway; -1: no limit.',
    default: 10,
    min: -1,
  }),
  concurrentUpdates: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_UPDATES',
    doc: 'Concurrent writes of a client at one gateway; -1: no limit.',
    default: 10,
    min: -1,
  }),
  concurrentStreams: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_STREAMS',
    doc: 'Concurrent change streams of a client at one gateway; -1: no limit.',
    default: 3,
    min: -1,
  }),
  searchObjects: setting.integer({
    name: 'CADASTRE_LIMITS_SEARCH_OBJECTS',
    doc: 'Objects that one anonymous search may return, and skip by "offset"; ten times as many for accounts; -1: no limit.',
    default: 10_000,
    min: -1,
  }),
  bulkResources: setting.integer({
    name: 'CADASTRE_LIMITS_BULK_RESOURCES',
    doc: 'Addresses, prefixes and AS numbers that a client may send to bulk lookups per minute, ten times as many for accounts; -1: no limit.',
    default: 20_000,
    min: -1,
  }),
  failedCredentials: setting.integer({
    name: 'CADASTRE_LIMITS_FAILED_CREDENTIALS',
    doc: 'Wrong credentials that a client may send per minute; -1: no limit.',
    default: 300,
    min: -1,
  }),
  limitsExempt: setting.list({
    name: 'CADASTRE_LIMITS_EXEMPT',
    doc: 'Addresses and prefixes without limits; the operator can still block them.',
    default: [],
  }),
  limitsOverrides: setting.list({
    name: 'CADASTRE_LIMITS_OVERRIDES',
    doc:
      'Different limits for a prefix, an address or an account; the most specific entry applies: ' +
      '"192.0.2.0/24 personal-objects=20000 queries=-1, account:alice@example.net personal-objects=-1".',
    default: [],
  }),
  blockAfter: setting.integer({
    name: 'CADASTRE_LIMITS_BLOCK_AFTER',
    doc: 'Seconds with a refused request, within ten minutes, after which the gateway blocks a client temporarily; 0: never.',
    default: 60,
    max: 600,
  }),
  blockTime: setting.duration({
    name: 'CADASTRE_LIMITS_BLOCK_TIME',
    doc: 'Duration of such a block.',
    default: '1h',
  }),
  redisUrl: setting.secret({
    name: 'CADASTRE_REDIS_URL',
    doc:
      'Redis through which gateways share their counts: redis://user:password@host:6379/0, or ' +
      'redis+sentinel://user:password@host:26379,host:26379/name/0 for the primary that Sentinels name; rediss for TLS. ' +
      'Default: none, each gateway counts alone.',
    optional: true,
  }),
  redisPassword: setting.secret({
    name: 'CADASTRE_REDIS_PASSWORD',
    doc: 'Password of Redis, instead of one in the URL.',
    optional: true,
  }),
  redisSentinelPassword: setting.secret({
    name: 'CADASTRE_REDIS_SENTINEL_PASSWORD',
    doc: 'Password of the Sentinels.',
    optional: true,
  }),
  redisCaFile: setting.text({
    name: 'CADASTRE_REDIS_CA_FILE',
    doc: "PEM file of the CA that signed the certificates of Redis and the Sentinels; the system's CAs by default.",
    optional: true,
  }),
};

/** The settings of the gateway. */
export const gatewaySettings = {
  ...baseSettings,
  ...listenerSettings,
  ...certificateSettings,
  ...proxySettings,
  ...addressSettings,
  ...responseSettings,
  ...rdapSettings,
  ...deadlineSettings,
  ...loadSettings,
  ...limitSettings,
};

/** The gateway's settings, and the bounds that are constants. */
export type GatewaySettings = Values<typeof gatewaySettings> & Bounds;
