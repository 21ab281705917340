import type { VersionEntry } from '@cadastre/client';
import type { ObjectName } from '../paths.js';
import { asText, pathOf } from './objects.js';
import { answerOf, registry } from './registry.js';

/** All versions of an object, newest first; deletions have no content. Throws a RequestFailed. */
export async function listVersions(name: ObjectName, signal?: AbortSignal): Promise<VersionEntry[]> {
  const params = { path: pathOf(name) };
  const { versions } = await answerOf(registry.GET('/{source}/{objectType}/{key}/versions', { params, signal }));
  return (versions?.version ?? []).toReversed();
}

/** Whether an entry of the history is a deletion. */
export function isDeletion({ operation }: VersionEntry): boolean {
  return operation === 'DEL';
}

/** The text (RPSL) of one version, without what the public may not see. Throws a RequestFailed. */
export async function versionText(name: ObjectName, revision: number, signal?: AbortSignal): Promise<string> {
  const params = { path: { ...pathOf(name), version: revision }, query: { unformatted: true } };
  const path = '/{source}/{objectType}/{key}/versions/{version}';
  const text = await answerOf(registry.GET(path, { params, ...asText('text/plain'), signal }));
  return text.replace(/\n+$/, '\n');
}
