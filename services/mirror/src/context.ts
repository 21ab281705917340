import type { Logger, Metrics } from '@cadastre/service';
import type { Pool } from 'pg';
import type { FileStore } from './files/file-store.js';
import type { Objects } from './objects-client.js';

/** The dependencies of the jobs and the RPC handlers; service.ts creates it. */
export interface Context {
  readonly pool: Pool;
  readonly objects: Objects;
  /** The store of published files; undefined when nothing is published. */
  readonly files: FileStore | undefined;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
