import type { Logger, Metrics } from '@cadastre/service';
import type { Pool } from 'pg';
import type { FileStore } from './files/file-store.js';
import type { Objects } from './objects-client.js';

/** What the jobs and the RPC handlers work with; service.ts creates it. */
export interface Context {
  readonly pool: Pool;
  readonly objects: Objects;
  /** Where files for others go; undefined when there are none. */
  readonly files: FileStore | undefined;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
