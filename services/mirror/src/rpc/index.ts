import { MirrorServiceService } from '@cadastre/proto/mirror';
import { type AllowedCallers, type Implementation, implement, ServiceError } from '@cadastre/service';
import type { Pool } from 'pg';
import { listPublications } from './list-publications.js';

/** All gRPC services of this process. */
export function implementations(o: { pool: Pool; published: readonly string[] }): Implementation[] {
  return [
    implement(MirrorServiceService, {
      listPublications: listPublications(o),
      listMirrors: async () => ({ mirrors: [] }),
      resetMirror: async ({ source }) => {
        throw new ServiceError('not-found', `No origin is configured for the source ${source}`);
      },
    }),
  ];
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = {
  [MirrorServiceService.listMirrors.path]: ['gateway'],
  [MirrorServiceService.listPublications.path]: ['gateway'],
};
