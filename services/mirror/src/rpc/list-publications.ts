import { fingerprintOf } from '@cadastre/nrtm';
import type { MirrorServiceService, Publication } from '@cadastre/proto/mirror';
import type { Handlers } from '@cadastre/service';
import type { Pool } from 'pg';
import { type KnownFile, readFiles, readPublication, readPublishing } from '../publish/state.js';

/** Lists the publications from the database: every replica answers for the one that publishes. */
export function listPublications(o: {
  pool: Pool;
  /** Names of the published sources, by name. */
  published: readonly string[];
}): Handlers<typeof MirrorServiceService>['listPublications'] {
  return async () => ({ publications: await Promise.all(o.published.map((source) => publicationOf(o.pool, source))) });
}

async function publicationOf(pool: Pool, source: string): Promise<Publication> {
  const [publication, files, publishing] = await Promise.all([
    readPublication(pool, source),
    readFiles(pool, source),
    readPublishing(pool, source),
  ]);
  const ofSession = files.filter(({ sessionId }) => sessionId === publication?.sessionId);
  const snapshot = ofSession.findLast(({ kind, dropped }) => kind === 'snapshot' && dropped === undefined);
  const newest = ofSession.reduce<KnownFile | undefined>(
    (last, file) => (last === undefined || file.version > last.version ? file : last),
    undefined,
  );
  const { notified, failed, failure = '' } = publishing;
  return {
    source,
    sessionId: publication?.sessionId ?? '',
    version: BigInt(publication?.version ?? 0),
    serial: publication?.serial ?? 0n,
    snapshotVersion: BigInt(snapshot?.version ?? 0),
    sessionBeganAt: publication?.began,
    versionPublishedAt: newest?.created,
    snapshotPublishedAt: snapshot?.created,
    notifiedAt: notified?.published,
    keyFingerprint: notified ? fingerprintOf(notified.signingKey) : '',
    nextKeyFingerprint: notified?.nextSigningKey ? fingerprintOf(notified.nextSigningKey) : '',
    failedAt: failed,
    error: failure,
  };
}
