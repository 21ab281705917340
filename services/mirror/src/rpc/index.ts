import { MirrorServiceService } from '@cadastre/proto/mirror';
import { type AllowedCallers, type Implementation, implement, type Logger } from '@cadastre/service';
import type { Pool } from 'pg';
import type { Origins } from '../follow/read-origins.js';
import { listPublications } from './list-publications.js';
import { listMirrors, resetMirror } from './mirrors.js';

/** The dependencies of the methods. */
export interface Served {
  readonly pool: Pool;
  /** Names of the sources that we publish. */
  readonly published: readonly string[];
  readonly origins: Origins;
  readonly logger: Logger;
}

/** All gRPC services of this process. */
export function implementations(served: Served): Implementation[] {
  return [
    implement(MirrorServiceService, {
      listMirrors: listMirrors(served),
      listPublications: listPublications(served),
      resetMirror: resetMirror(served),
    }),
  ];
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = {
  [MirrorServiceService.listMirrors.path]: ['gateway', 'whois'],
  [MirrorServiceService.listPublications.path]: ['whois'],
};
