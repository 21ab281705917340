import { readFileSync } from 'node:fs';
import { SettingsError } from './read-settings.js';
import { type Setting, setting } from './settings.js';

/** The settings that every service has; spread them into the service's own. */
export const baseSettings = {
  environment: setting.oneOf(['production', 'test'], {
    name: 'CADASTRE_ENVIRONMENT',
    doc: 'The environment that this deployment serves.',
    default: 'test',
  }),
  source: setting.text({
    name: 'CADASTRE_SOURCE',
    doc: 'Name of the main source of this registry.',
    default: 'TEST',
    max: 80,
  }),
  logLevel: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    name: 'CADASTRE_LOG_LEVEL',
    doc: 'Lowest level of the events in the log.',
    default: 'info',
  }),
  operations: setting.address({
    name: 'CADASTRE_OPERATIONS',
    doc: 'Address of the plain HTTP port with /live, /ready and /metrics; none by default.',
    optional: true,
  }),
  tlsCertFile: setting.text({
    name: 'CADASTRE_TLS_CERT_FILE',
    doc: 'Certificate (PEM) of this service; with key and CA certificates, gRPC uses mutual TLS.',
    optional: true,
  }),
  tlsKeyFile: setting.text({
    name: 'CADASTRE_TLS_KEY_FILE',
    doc: 'Private key (PEM) of the certificate.',
    optional: true,
  }),
  tlsCaFile: setting.text({
    name: 'CADASTRE_TLS_CA_FILE',
    doc: 'CA certificates (PEM) that must have signed the certificates of the other services.',
    optional: true,
  }),
};

/** The settings of every gRPC service; spread them into the service's own. */
export const rpcSettings = {
  listen: setting.address({
    name: 'CADASTRE_LISTEN',
    doc: 'Address of the gRPC interface.',
    default: '127.0.0.1:9090',
  }),
  peers: setting.pairs({
    name: 'CADASTRE_RPC_PEERS',
    doc: 'Certificate names of other services, where they differ from the service names: gateway=registry-gateway,...',
    default: [],
  }),
  operators: setting.list({
    name: 'CADASTRE_OPERATORS',
    doc: "Names of certificates or tokens of the operator's own systems, which may call every method.",
    default: ['operator'],
  }),
  allowed: setting.pairs({
    name: 'CADASTRE_RPC_ALLOW',
    doc: 'Further callers and what they may call: NAME=SERVICE or NAME=SERVICE/METHOD,...',
    default: [],
  }),
  tokensFile: setting.text({
    name: 'CADASTRE_RPC_TOKENS_FILE',
    doc: 'File with lines "NAME SHA256" of callers that authenticate by token instead of certificate.',
    optional: true,
  }),
  callerLimits: setting.integers({
    name: 'CADASTRE_RPC_CALLER_LIMITS',
    doc: 'Maximum calls per second, and concurrent calls, including streams, of each caller that is not a Cadastre service, at each replica.',
    defaults: { rate: '200', calls: '50' },
  }),
  plaintext: setting.flag({
    name: 'CADASTRE_RPC_PLAINTEXT',
    doc: 'Whether a production service may listen on TCP without certificates.',
    default: false,
  }),
};

/** Settings about the registry that several services share; each spreads these into its own settings. */
export const registrySettings = {
  operatorMaintainers: setting.list({
    name: 'CADASTRE_OPERATOR_MAINTAINERS',
    doc:
      "Names of the registry operator's mntners. Only they write as-blocks, e164.arpa, in-addr.arpa, ip6.arpa and the " +
      'whole address space; ' +
      'the search for the holder or abuse contact of a network ends at what they maintain.',
    default: [],
  }),
};

/** The mirrored sources, for the services that read them. */
export const sourceSettings = {
  grsSources: setting.list({
    name: 'CADASTRE_GRS_SOURCES',
    doc: 'Names of the sources that mirror other registries.',
    default: [],
  }),
};

/** Other names of sources, for the services to which clients name sources. */
export const sourceAliasSettings = {
  sourceAliases: setting.lists({
    name: 'CADASTRE_SOURCE_ALIASES',
    doc: 'Further names of sources, and names of lists of them in their order: "RADB=RADB-GRS SECURE=TEST,RADB-GRS". Queries on port 43 and searches understand them. Default: none.',
    default: [],
  }),
};

/** The free texts of each source, upper case, that its public copies keep. */
export type PublicTexts = ReadonlyMap<string, ReadonlySet<string>>;

const texts = ['descr', 'geofeed', 'remarks'];

/** What third parties get of objects, for the services that make public copies. */
export const publicTextSettings = {
  publicTexts: publicTexts({
    name: 'CADASTRE_PUBLIC_TEXTS',
    doc: `Free texts that publications, dumps and NRTM 3 have as they are written, except e-mail addresses, for each source: "TEST descr remarks, TEST-NONAUTH geofeed". Texts: ${texts.join(', ')}; geofeed stands for remarks that name one. Other free texts are "Dummified". Another value begins new sessions of NRTMv4, so that all followers load these sources anew. Default: none.`,
  }),
};

function publicTexts(named: { name: string; doc: string }): Setting<PublicTexts> {
  return {
    ...setting.text({ ...named, default: '' }),
    form: 'SOURCE TEXT...,...',
    fallback: new Map(),
    parse(value) {
      const found = new Map<string, ReadonlySet<string>>();
      for (const entry of value.split(',').map((one) => one.trim())) {
        const [source = '', ...words] = entry.toLowerCase().split(/\s+/);
        if (!/^[a-z][\w-]*$/.test(source) || words.length === 0 || !words.every((word) => texts.includes(word))) {
          return { problem: `has an invalid element: "${entry}"` };
        }
        found.set(source.toUpperCase(), new Set(words));
      }
      return { value: found };
    },
  };
}

/** What the registry publishes to those who read its objects. */
export const termsSettings = {
  termsUrl: setting.url({
    name: 'CADASTRE_TERMS_URL',
    doc: "URL of the registry's terms and conditions, which responses and mails contain.",
    default: 'https://www.example.net/terms-and-conditions',
  }),
};

/** Where webhooks may go, for the service that stores them and the one that delivers to them. */
export const webhookSettings = {
  webhooksAnywhere: setting.flag({
    name: 'CADASTRE_WEBHOOKS_ANYWHERE',
    doc: 'Whether webhooks may go to http, to any port and to addresses that are not public: only for trials.',
    default: false,
  }),
};

/** How requests to hosts of others leave, for the services that send them. */
export const egressSettings = {
  egressProxy: setting.proxyUrl({
    name: 'CADASTRE_EGRESS_PROXY',
    doc: 'URL of an HTTP proxy: http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT. Webhooks, and files of other registries by https and http, go through it. It resolves their names, so it must refuse addresses of your own network. NRTM version 3, FTP, origins with "ownNetwork", buckets and mails do not use it. Default: none.',
    optional: true,
  }),
};

/** The ports that the public reaches: those of the gateway, and whois. */
export const publicPortSettings = {
  bindAddress: setting.text({
    name: 'CADASTRE_BIND_ADDRESS',
    doc: 'Address to listen on; default: all addresses of the machine.',
    optional: true,
  }),
  connections: setting.integer({
    name: 'CADASTRE_CONNECTIONS',
    doc: 'Maximum concurrent connections to each public port. When a port is full, its service closes the idlest connection of the /24 or IPv6 /48 that has most, or the new one if it is from there.',
    default: 5_000,
    min: 1,
  }),
  unlimitedNetworks: setting.list({
    name: 'CADASTRE_UNLIMITED_NETWORKS',
    doc: 'Addresses and prefixes of clients that may have any number of connections.',
    default: [],
  }),
  proxyProtocolFrom: setting.list({
    name: 'CADASTRE_PROXY_PROTOCOL_FROM',
    doc: 'Addresses and prefixes of load balancers whose connections begin with a header of the PROXY protocol (version 1 or 2), which names the client; the service closes their other connections.',
    default: [],
  }),
  trustedProxies: setting.list({
    name: 'CADASTRE_TRUSTED_PROXIES',
    doc: 'Addresses and prefixes of proxies that may say for which client they ask, whose limits then count: to the gateway by headers, which also name the scheme and the request id, to whois by "-V tag,address", also in front of IRRd-style commands.',
    default: [],
  }),
};

/** Addresses of the services; each service takes those that it calls. */
export const addressSettings = {
  objectsAddress: setting.peerAddress({ name: 'CADASTRE_OBJECTS_ADDRESS', doc: 'Address of the objects service.' }),
  authAddress: setting.peerAddress({ name: 'CADASTRE_AUTH_ADDRESS', doc: 'Address of the auth service.' }),
  searchAddress: setting.peerAddress({ name: 'CADASTRE_SEARCH_ADDRESS', doc: 'Address of the search service.' }),
  whoisAddress: setting.peerAddress({
    name: 'CADASTRE_WHOIS_ADDRESS',
    doc: 'gRPC address of the whois service, which expands sets; default: none, and the gateway cannot.',
    optional: true,
  }),
  mirrorAddress: setting.peerAddress({
    name: 'CADASTRE_MIRROR_ADDRESS',
    doc: 'Address of the mirror service, which tells how current copies of other registries are; default: none, and neither the list of sources nor !J says it.',
    optional: true,
  }),
};

const caFileName = 'CADASTRE_STORE_CA_FILE';

/** Of every service with a store that may use TLS; each spreads this into its own settings. */
export const storeCaSettings = {
  storeCaFile: setting.text({
    name: caFileName,
    doc: "PEM file of the CAs that sign the certificates of PostgreSQL, Redis, the Sentinels and OpenSearch. With it all connections to PostgreSQL use TLS and check the server's name; by default its URL decides (sslmode, sslrootcert). Default for the others: the system's CAs.",
    optional: true,
  }),
};

/**
 * The database URL for a server whose certificate these CAs signed; they override the TLS parameters of the URL. Each
 * new connection reads the file again. Errors: SettingsError when the file cannot be read.
 */
export function withCa(url: string, caFile: string | undefined): string {
  if (caFile === undefined) return url;
  contentOfFile(caFileName, caFile);
  const [base, query] = url.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['ssl', 'uselibpqcompat']) parameters.delete(name);
  parameters.set('sslmode', 'verify-full');
  parameters.set('sslrootcert', caFile);
  return `${base}?${parameters}`;
}

/** The content of the file that the setting `name` names, if any. Errors: SettingsError when it cannot be read. */
export function contentOfFile(name: string, file: string | undefined): Buffer | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file);
  } catch (error) {
    throw new SettingsError([`${name}: the file cannot be read (${(error as NodeJS.ErrnoException).code}): ${file}`]);
  }
}
