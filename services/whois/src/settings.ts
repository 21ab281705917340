import { limitSettings } from '@cadastre/limits';
import { roaSettings } from '@cadastre/roa';
import {
  addressSettings,
  baseSettings,
  publicPortSettings,
  rpcSettings,
  setting,
  sourceAliasSettings,
  sourceSettings,
  termsSettings,
  type Values,
} from '@cadastre/service';

/** The settings of the whois service. */
export const whoisSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...sourceSettings,
  ...sourceAliasSettings,
  ...termsSettings,
  ...limitSettings,
  ...roaSettings,
  ...publicPortSettings,
  objectsAddress: addressSettings.objectsAddress,
  searchAddress: addressSettings.searchAddress,
  authAddress: addressSettings.authAddress,
  mirrorAddress: addressSettings.mirrorAddress,
  port: setting.port({
    name: 'CADASTRE_WHOIS_PORT',
    doc: 'TCP port of the whois interface; 0 takes a free one.',
    default: 4343,
  }),
  tlsPort: setting.port({
    name: 'CADASTRE_WHOIS_TLS_PORT',
    doc: 'TCP port of the whois interface over TLS, with at most 500 connections; 0 takes a free one; default: none.',
    optional: true,
  }),
  tlsPortCertFile: setting.text({
    name: 'CADASTRE_WHOIS_TLS_CERT_FILE',
    doc: 'Certificate (PEM, with its chain) of the whois interface over TLS; changes take effect without a restart.',
    optional: true,
  }),
  tlsPortKeyFile: setting.text({
    name: 'CADASTRE_WHOIS_TLS_KEY_FILE',
    doc: 'Private key (PEM) of that certificate.',
    optional: true,
  }),
  connectionsPerClient: setting.integer({
    name: 'CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT',
    doc: 'Maximum connections with RIPE-style queries from one IPv4 address or IPv6 /64, twice as many from a /56, four times from a /48; further ones get ERROR:306. In all, with IRRd-style commands or without a line, a client may have five times as many. 0 means any number.',
    default: 3,
  }),
  defaultSources: setting.list({
    name: 'CADASTRE_WHOIS_SOURCES',
    doc: 'Sources or their aliases that IRRd-style commands use until the client chooses others by !s, the first one first. At most 247 characters, which is what bgpq4 reads; clients may choose more. Default: the main source.',
    default: [],
  }),
  routePreference: setting.list({
    name: 'CADASTRE_WHOIS_ROUTE_PREFERENCE',
    doc: 'Sources, the most preferred one first: prefix lists leave out their routes that overlap a route of a source before them. Routes of other sources stay. Changes take effect within a minute. Default: no source is preferred.',
    default: [],
  }),
  expansionMembers: setting.integer({
    name: 'CADASTRE_WHOIS_EXPANSION_MEMBERS',
    doc: 'Maximum members of all sets of an expansion together; a larger one is refused. An expansion takes up to 800 bytes of memory for a member.',
    default: 100_000,
    min: 1,
  }),
  nrtmCharset: setting.oneOf(['latin1', 'utf8'], {
    name: 'CADASTRE_WHOIS_NRTM_CHARSET',
    doc: 'Character set of changes by NRTM version 3: that of the RIPE Database (ISO 8859-1), or UTF-8, which IRRd 4 reads.',
    default: 'latin1',
  }),
  nrtmClients: setting.list({
    name: 'CADASTRE_WHOIS_NRTM_CLIENTS',
    doc: 'Addresses and prefixes of clients that may follow the main source by NRTM version 3 ("-g"), without names of persons, e-mail addresses and password hashes; others get ERROR:402. Default: none.',
    default: [],
  }),
};

export type WhoisSettings = Values<typeof whoisSettings>;
