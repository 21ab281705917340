import { setting } from './settings.js';

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
  geoAddress: setting.peerAddress({ name: 'CADASTRE_GEO_ADDRESS', doc: 'Address of the geo service.' }),
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
