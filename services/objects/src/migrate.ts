import { type Logger, migrate, onceAvailable, openDatabase } from '@cadastre/service';
import { createCertificateReader } from './domain/certificates/read-certificate.js';
import { indexKeyCerts } from './store/references.js';

const migrations = new URL('../migrations/', import.meta.url);

interface Migration {
  readonly url: string;
  readonly logger: Logger;
  /** Aborted when the caller stops. */
  readonly signal?: AbortSignal;
}

/**
 * Migrates the database of the objects service to the newest schema, and corrects index entries of key-certs that an
 * older version wrote. Running it again changes nothing.
 */
export async function migrateObjects({ url, logger, signal }: Migration): Promise<void> {
  await migrate({ url, directory: migrations, logger });
  const pool = openDatabase(url).createPool({ max: 1, applicationName: 'cadastre migrate', statementTimeoutMs: 0 });
  const certificates = createCertificateReader();
  try {
    const changed = await onceAvailable(() => indexKeyCerts(pool, certificates.signingSubkeys), {
      logger,
      ...(signal && { signal }),
    });
    if (changed > 0) logger.info({ changed }, 'indexed key-certs');
  } finally {
    await Promise.all([certificates.close(), pool.end()]);
  }
}
