import { MirrorServiceService } from '@cadastre/proto/mirror';
import { type AllowedCallers, type Implementation, implement, type Logger } from '@cadastre/service';
import type { Pool } from 'pg';
import type { Origins } from '../follow/read-origins.js';
import { listMirrors } from './list-mirrors.js';
import { resetMirror } from './reset-mirror.js';

/** All gRPC services of this process. */
export function implementations(o: { pool: Pool; origins: Origins; logger: Logger }): Implementation[] {
  return [
    implement(MirrorServiceService, {
      listMirrors: listMirrors(o),
      listPublications: async () => ({ publications: [] }),
      resetMirror: resetMirror(o),
    }),
  ];
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = {
  [MirrorServiceService.listMirrors.path]: ['gateway'],
  [MirrorServiceService.listPublications.path]: ['gateway'],
};
