import type { ObjectName } from '../paths.js';
import { asText, pathOf } from './objects.js';
import { answerOf, registry } from './registry.js';

/** One state of an object, or its deletion. */
export interface Version {
  readonly revision: number;
  /** In the format of the registry. */
  readonly date: string;
  readonly deleted: boolean;
  /** Of a deletion; empty without one. */
  readonly reason: string;
}

/** All versions of an object, newest first; deletions have no content. Throws a RequestFailed. */
export async function listVersions(name: ObjectName, signal?: AbortSignal): Promise<Version[]> {
  const params = { path: pathOf(name) };
  const { versions } = await answerOf(registry.GET('/{source}/{objectType}/{key}/versions', { params, signal }));
  const list = (versions?.version ?? []).map(({ revision, date, operation, reason = '' }) => ({
    revision: Number(revision),
    date,
    deleted: operation === 'DEL',
    reason,
  }));
  return list.reverse();
}

/** The text (RPSL) of one version, without what the public may not see. Throws a RequestFailed. */
export async function versionText(name: ObjectName, revision: number, signal?: AbortSignal): Promise<string> {
  const params = { path: { ...pathOf(name), version: revision }, query: { unformatted: true } };
  const path = '/{source}/{objectType}/{key}/versions/{version}';
  const text = await answerOf(registry.GET(path, { params, ...asText('text/plain'), signal }));
  return text.replace(/\n+$/, '\n');
}
