import { SettingsError } from '@cadastre/service';
import type { SearchIndex } from './index-port.js';
import { createPostgresIndex } from './postgres/postgres-index.js';
import type { SearchSettings } from './settings.js';

/** The index that the settings ask for. Errors: SettingsError when they say too little. */
export function chooseIndex(settings: SearchSettings): SearchIndex {
  const { adapter, databaseUrl: url, connections, statementTimeoutMs } = settings;
  if (adapter === 'opensearch') throw new SettingsError(['CADASTRE_SEARCH_ADAPTER: opensearch is not available yet']);
  if (url === undefined) throw new SettingsError(['CADASTRE_SEARCH_DATABASE_URL: missing']);
  return createPostgresIndex({ url, connections, statementTimeoutMs });
}
