import { type Metrics, SettingsError, withCa } from '@cadastre/service';
import type { SearchIndex } from './index-port.js';
import { createOpenSearchIndex } from './opensearch/opensearch-index.js';
import { createPostgresIndex } from './postgres/postgres-index.js';
import type { SearchSettings } from './settings.js';

/** Makes the index adapter that the settings name. Errors: SettingsError when a setting is missing. */
export function chooseIndex(settings: SearchSettings, metrics: Metrics): SearchIndex {
  const { databaseUrl, databaseCaFile, connections } = settings;
  if (settings.adapter === 'opensearch') return openSearchIndex(settings);
  const url = withCa(given(databaseUrl, 'CADASTRE_SEARCH_DATABASE_URL'), databaseCaFile);
  return createPostgresIndex({ url, connections, metrics });
}

function openSearchIndex({ opensearchUrl, opensearchCaFile: caFile, opensearchPrefix: prefix }: SearchSettings) {
  const url = given(opensearchUrl, 'CADASTRE_SEARCH_OPENSEARCH_URL');
  return createOpenSearchIndex({ url, prefix, ...(caFile === undefined ? {} : { caFile }) });
}

function given(value: string | undefined, name: string): string {
  if (value === undefined) throw new SettingsError([`${name}: missing`]);
  return value;
}
