import { limitSettings } from '@cadastre/limits';
import { roaSettings } from '@cadastre/roa';
import {
  addressSettings,
  baseSettings,
  rpcSettings,
  setting,
  sourceSettings,
  termsSettings,
  type Values,
} from '@cadastre/service';

/** The settings of the whois service. */
export const whoisSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...sourceSettings,
  ...termsSettings,
  ...limitSettings,
  ...roaSettings,
  objectsAddress: addressSettings.objectsAddress,
  searchAddress: addressSettings.searchAddress,
  authAddress: addressSettings.authAddress,
  port: setting.port({
    name: 'CADASTRE_WHOIS_PORT',
    doc: 'TCP port of the whois interface; 0 takes a free one.',
    default: 4343,
  }),
  bindAddress: setting.text({
    name: 'CADASTRE_WHOIS_BIND_ADDRESS',
    doc: 'Address to listen on; default: all addresses of the machine.',
    optional: true,
  }),
  connections: setting.integer({
    name: 'CADASTRE_WHOIS_CONNECTIONS',
    doc: 'Maximum connections of all clients together. When there are so many, the service closes the idlest of the /24 or IPv6 /48 that has most, or the new one if it is from there.',
    default: 5_000,
    min: 1,
  }),
  connectionsPerClient: setting.integer({
    name: 'CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT',
    doc: 'Maximum connections from one IPv4 address or IPv6 /64, twice as many from a /56, four times from a /48; further ones get ERROR:306. 0 means any number.',
    default: 3,
  }),
  unlimitedNetworks: setting.list({
    name: 'CADASTRE_WHOIS_UNLIMITED_NETWORKS',
    doc: 'Addresses and prefixes of clients that may have any number of connections.',
    default: [],
  }),
  proxyProtocolFrom: setting.list({
    name: 'CADASTRE_WHOIS_PROXY_PROTOCOL_FROM',
    doc: 'Addresses and prefixes of load balancers whose connections begin with a header of the PROXY protocol (version 1 or 2), which names the client; the service closes their other connections.',
    default: [],
  }),
  proxies: setting.list({
    name: 'CADASTRE_WHOIS_PROXIES',
    doc: 'Addresses and prefixes of proxies that may say for which client they ask ("-V tag,address", also in front of IRRd-style commands): its limits count.',
    default: [],
  }),
  defaultSources: setting.list({
    name: 'CADASTRE_WHOIS_SOURCES',
    doc: 'Sources that IRRd-style commands use until the client chooses others by !s, the first one first. At most 247 characters, which is what bgpq4 reads; clients may choose more. Default: the main source.',
    default: [],
  }),
  expansionMembers: setting.integer({
    name: 'CADASTRE_WHOIS_EXPANSION_MEMBERS',
    doc: 'Maximum members of all sets of an expansion together; a larger one is refused. An expansion takes up to 800 bytes of memory for a member.',
    default: 100_000,
    min: 1,
  }),
  nrtmClients: setting.list({
    name: 'CADASTRE_WHOIS_NRTM_CLIENTS',
    doc: 'Addresses and prefixes of clients that may follow the main source by NRTM version 3 ("-g"), without names of persons, e-mail addresses and password hashes; others get ERROR:402. Default: none.',
    default: [],
  }),
  drain: setting.duration({
    name: 'CADASTRE_WHOIS_DRAIN',
    doc: 'How long answers that are being sent may take when the service stops.',
    default: '5s',
  }),
};

export type WhoisSettings = Values<typeof whoisSettings>;
