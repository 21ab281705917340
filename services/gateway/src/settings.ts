import { limitSettings } from '@cadastre/limits';
import {
  addressSettings,
  baseSettings,
  publicPortSettings,
  setting,
  termsSettings,
  type Values,
} from '@cadastre/service';
import type { Bounds } from './bounds.js';

/** Ports and connections. */
const listenerSettings = {
  ...publicPortSettings,
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

/** Proxies in front of the gateway, and the trusted headers. */
const proxySettings = {
  clientCertFrom: setting.list({
    name: 'CADASTRE_GATEWAY_CLIENT_CERT_FROM',
    doc: 'Addresses and prefixes of proxies whose header Client-Cert (RFC 9440) the gateway trusts, over HTTPS.',
    default: [],
  }),
};

/** Facts of this registry in responses. */
const responseSettings = {
  baseUrl: setting.baseUrl({
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
  publicationsDirectory: setting.text({
    name: 'CADASTRE_PUBLICATIONS_DIR',
    doc: 'Directory into which the mirror service publishes, which the gateway serves at /nrtmv4/ and /dumps/ over HTTPS; default: none.',
    optional: true,
  }),
  publicationsUrl: setting.url({
    name: 'CADASTRE_PUBLICATIONS_URL',
    doc: 'URL of the web server or CDN in front of the bucket into which the mirror service publishes, instead of a directory: the gateway redirects requests for /nrtmv4/ and /dumps/ to the same paths below this URL; default: none.',
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

/** Deadlines, concurrency, overload and the cache. */
const loadSettings = {
  deadlines: setting.durations({
    name: 'CADASTRE_GATEWAY_DEADLINES',
    doc: 'Maximum duration of a read and of a write, and maximum time until a search finds its first objects.',
    defaults: { read: '5s', write: '8s', search: '15s' },
  }),
  places: setting.integers({
    name: 'CADASTRE_GATEWAY_CONCURRENT',
    doc: 'Maximum concurrent searches, change streams, and other requests without cached responses; further ones get 503. A third of the places of each kind is for networks (IPv6 /48) without a current one.',
    defaults: { requests: '2000', searches: '300', streams: '200' },
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

/** The settings of the gateway. */
export const gatewaySettings = {
  ...baseSettings,
  ...listenerSettings,
  ...certificateSettings,
  ...proxySettings,
  ...addressSettings,
  ...responseSettings,
  ...rdapSettings,
  ...loadSettings,
  ...limitSettings,
};

/** The gateway's settings, and the bounds that are constants. */
export type GatewaySettings = Values<typeof gatewaySettings> & Bounds;
