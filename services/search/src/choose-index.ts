import { join } from 'node:path';
import { contentOfFile, type Logger, SettingsError } from '@cadastre/service';
import { createEmbeddedIndex } from './embedded/embedded-index.js';
import type { SearchIndex } from './index-port.js';
import { type SearchSettings, searchSettings } from './settings.js';

/** Makes the index adapter that the settings name. Errors: SettingsError when a setting is missing or wrong. */
export async function chooseIndex(settings: SearchSettings, logger: Logger): Promise<SearchIndex> {
  if (settings.adapter === 'opensearch') return openSearchIndex(settings);
  return createEmbeddedIndex({ directory: join(settings.dataDirectory, 'search-index'), logger });
}

async function openSearchIndex(settings: SearchSettings): Promise<SearchIndex> {
  const { opensearchCertFile: certFile, opensearchKeyFile: keyFile } = settings;
  together([certFile, keyFile], ['opensearchCertFile', 'opensearchKeyFile']);
  const fileOf = (name: 'storeCaFile' | 'opensearchCertFile' | 'opensearchKeyFile') =>
    contentOfFile(searchSettings[name].name, settings[name]);
  // Its client is a large library.
  const { createOpenSearchIndex } = await import('./opensearch/opensearch-index.js');
  return createOpenSearchIndex({
    url: nodesOf(given(settings.opensearchUrl, 'opensearchUrl')),
    prefix: settings.opensearchPrefix,
    layout: { shards: settings.opensearchShards, replicas: settings.opensearchReplicas },
    tls: {
      ca: fileOf('storeCaFile'),
      cert: fileOf('opensearchCertFile'),
      key: fileOf('opensearchKeyFile'),
    },
  });
}

type Name = keyof SearchSettings;

function nodesOf(text: string): string[] {
  const nodes = text.split(',').map((url) => url.trim());
  const isNode = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!nodes.every(isNode)) throw problem('opensearchUrl', 'must be http or https URLs, separated by commas');
  return nodes;
}

function together(values: readonly (string | undefined)[], names: readonly Name[]): void {
  const missing = names.filter((_, at) => values[at] === undefined);
  if (missing.length === 1) throw problem(missing[0]!, 'missing');
}

function given(value: string | undefined, name: Name): string {
  if (value === undefined) throw problem(name, 'missing');
  return value;
}

function problem(name: Name, text: string): SettingsError {
  return new SettingsError([`${searchSettings[name].name}: ${text}`]);
}
