import { roaSettings } from '@cadastre/roa';
import {
  addressSettings,
  baseSettings,
  registrySettings,
  rpcSettings,
  setting,
  sourceAliasSettings,
  sourceSettings,
  storeCaSettings,
  type Values,
} from '@cadastre/service';

/** The settings of the search service. */
export const searchSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...registrySettings,
  ...sourceSettings,
  ...sourceAliasSettings,
  ...roaSettings,
  ...storeCaSettings,
  objectsAddress: addressSettings.objectsAddress,
  suspectMailboxes: setting.list({
    name: 'CADASTRE_SUSPECT_MAILBOXES',
    doc: 'Abuse mailboxes that do not work.',
    default: [],
  }),
  adapter: setting.oneOf(['embedded', 'opensearch'], {
    name: 'CADASTRE_SEARCH_ADAPTER',
    doc: 'Storage of the index: files of each process (SQLite), or an OpenSearch cluster.',
    default: 'embedded',
  }),
  dataDirectory: setting.text({
    name: 'CADASTRE_DATA_DIR',
    doc: 'Directory of the folder search-index, for this process alone: the files of the index, with the adapter embedded.',
    default: '.data',
  }),
  opensearchUrl: setting.secret({
    name: 'CADASTRE_SEARCH_OPENSEARCH_URL',
    doc: 'URLs of one or more nodes of the OpenSearch cluster of the index, separated by commas, with user and password if it asks for them; required with the adapter opensearch. While a node is unavailable, the others get its requests.',
    optional: true,
  }),
  opensearchCertFile: setting.text({
    name: 'CADASTRE_SEARCH_OPENSEARCH_CERT_FILE',
    doc: 'PEM file of the certificate by which search proves to the OpenSearch cluster who it is.',
    optional: true,
  }),
  opensearchKeyFile: setting.text({
    name: 'CADASTRE_SEARCH_OPENSEARCH_KEY_FILE',
    doc: 'PEM file of the private key of CADASTRE_SEARCH_OPENSEARCH_CERT_FILE.',
    optional: true,
  }),
  opensearchPrefix: setting.text({
    name: 'CADASTRE_SEARCH_OPENSEARCH_PREFIX',
    doc: 'Prefix of the index names, so that registries can share a cluster.',
    default: 'cadastre',
    max: 40,
  }),
  opensearchShards: setting.integer({
    name: 'CADASTRE_SEARCH_OPENSEARCH_SHARDS',
    doc: "Shards of each source's index in OpenSearch. A change takes effect with the next rebuild of the index.",
    default: 1,
    min: 1,
    max: 32,
  }),
  opensearchReplicas: setting.integer({
    name: 'CADASTRE_SEARCH_OPENSEARCH_REPLICAS',
    doc: 'Copies of each shard besides the first one, as far as the OpenSearch cluster has nodes for them. A change takes effect with the next rebuild of the index.',
    default: 1,
    min: 0,
    max: 8,
  }),
  concurrentReads: setting.integer({
    name: 'CADASTRE_SEARCH_CONCURRENT_READS',
    doc: 'Maximum reads of the index at once; others wait for their turn.',
    default: 16,
    min: 2,
    max: 200,
  }),
};

export type SearchSettings = Values<typeof searchSettings>;
