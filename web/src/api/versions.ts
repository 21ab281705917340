import type { ObjectName } from '../paths.js';
import { restPath } from './objects.js';
import { requestJson, requestText } from './request.js';

/** One state of an object, or its deletion. */
export interface Version {
  readonly revision: number;
  /** As the registry writes it. */
  readonly date: string;
  readonly deleted: boolean;
}

interface SentVersions {
  readonly versions?: { readonly version: readonly { revision: number | null; date: string; operation: string }[] };
}

/** All versions of an object, newest first; deletions have no content. Throws a RequestFailed. */
export async function listVersions(name: ObjectName, signal?: AbortSignal): Promise<Version[]> {
  const { versions } = await requestJson<SentVersions>(`${restPath(name)}/versions`, { signal });
  const list = (versions?.version ?? []).map(({ revision, date, operation }) => ({
    revision: Number(revision),
    date,
    deleted: operation === 'DEL',
  }));
  return list.reverse();
}

/** The text (RPSL) of one version, without what the public may not see. Throws a RequestFailed. */
export async function versionText(name: ObjectName, revision: number, signal?: AbortSignal): Promise<string> {
  const text = await requestText(`${restPath(name)}/versions/${revision}?unformatted`, { signal });
  return text.replace(/\n+$/, '\n');
}
