import { baseSettings, rpcSettings, setting, type Values } from '@cadastre/service';

/** The settings of the search service. */
export const searchSettings = {
  ...baseSettings,
  ...rpcSettings,
  grsSources: setting.list({
    name: 'CADASTRE_GRS_SOURCES',
    doc: 'Names of the sources that hold copies of other registries.',
    default: [],
  }),
  listen: setting.address({
    name: 'CADASTRE_SEARCH_LISTEN',
    doc: 'Address of the gRPC interface.',
    default: '127.0.0.1:50053',
  }),
  operations: setting.address({
    name: 'CADASTRE_SEARCH_OPERATIONS',
    doc: 'Address of the plain HTTP port with /live, /ready and /metrics.',
    optional: true,
  }),
  objectsAddress: setting.peerAddress({
    name: 'CADASTRE_OBJECTS_ADDRESS',
    doc: 'Address of the objects service, whose change feed the index follows.',
    default: '127.0.0.1:9401',
  }),
  geoAddress: setting.peerAddress({
    name: 'CADASTRE_GEO_ADDRESS',
    doc: 'Address of the geo service, which knows resource holders and abuse contacts.',
    default: '127.0.0.1:50054',
  }),
  adapter: setting.oneOf(['postgres', 'opensearch'], {
    name: 'CADASTRE_SEARCH_ADAPTER',
    doc: 'What holds the index.',
    default: 'postgres',
  }),
  databaseUrl: setting.secret({
    name: 'CADASTRE_SEARCH_DATABASE_URL',
    doc: 'URL of the PostgreSQL database that holds the index; needed with the adapter postgres.',
    optional: true,
  }),
  opensearchUrl: setting.secret({
    name: 'CADASTRE_SEARCH_OPENSEARCH_URL',
    doc: 'URL of the OpenSearch cluster that holds the index; needed with the adapter opensearch.',
    optional: true,
  }),
  opensearchCaFile: setting.text({
    name: 'CADASTRE_SEARCH_OPENSEARCH_CA_FILE',
    doc: "PEM file of the authority that signed the cluster's certificate; the system's authorities unless set.",
    optional: true,
  }),
  opensearchPrefix: setting.text({
    name: 'CADASTRE_SEARCH_OPENSEARCH_PREFIX',
    doc: 'What the names of the indexes begin with, so that registries can share a cluster.',
    default: 'cadastre',
    max: 40,
  }),
  connections: setting.integer({
    name: 'CADASTRE_SEARCH_CONNECTIONS',
    doc: 'Most connections to the database for queries; indexing has a few of its own.',
    default: 8,
    min: 1,
    max: 100,
  }),
  statementTimeoutMs: setting.duration({
    name: 'CADASTRE_SEARCH_STATEMENT_TIMEOUT',
    doc: 'How long one step of a query may take in the database.',
    default: '10s',
  }),
  operatorMaintainers: setting.list({
    name: 'CADASTRE_OPERATOR_MAINTAINERS',
    doc: 'Maintainers by which the operator of the registry manages resources (its resource registration).',
    default: [],
  }),
  roaSource: setting.text({
    name: 'CADASTRE_ROA_SOURCE',
    doc: 'File or URL with validated ROA payloads, in the JSON of Routinator or rpki-client; no ROA checks unless set.',
    optional: true,
  }),
  roaRefreshMs: setting.duration({
    name: 'CADASTRE_ROA_REFRESH',
    doc: 'How often the ROA payloads are read again; at least 1s.',
    default: '15m',
  }),
  roaTrustAnchors: setting.list({
    name: 'CADASTRE_ROA_TRUST_ANCHORS',
    doc: 'Trust anchors whose ROA payloads count; "all" for any.',
    default: ['afrinic', 'apnic', 'arin', 'lacnic', 'ripe'],
  }),
};

export type SearchSettings = Values<typeof searchSettings>;

/** The settings of `main.js migrate`. */
export const migrationSettings = { logLevel: baseSettings.logLevel, databaseUrl: searchSettings.databaseUrl };
