import { readFileSync } from 'node:fs';
import { SettingsError } from './read-settings.js';
import { setting } from './settings.js';

const caFileName = 'CADASTRE_STORE_CA_FILE';

/** Of every service with a store that may use TLS; each spreads this into its own settings. */
export const storeCaSettings = {
  storeCaFile: setting.text({
    name: caFileName,
    doc: "PEM file of the CAs that sign the certificates of PostgreSQL, Redis, the Sentinels and OpenSearch. With it all connections to PostgreSQL use TLS and check the server's name; by default its URL decides (sslmode, sslrootcert). Default for the others: the system's CAs.",
    optional: true,
  }),
};

/**
 * The database URL for a server whose certificate these CAs signed; they override the TLS parameters of the URL. Each
 * new connection reads the file again. Errors: SettingsError when the file cannot be read.
 */
export function withCa(url: string, caFile: string | undefined): string {
  if (caFile === undefined) return url;
  try {
    readFileSync(caFile);
  } catch (error) {
    throw new SettingsError([`${caFileName}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
  const [base, query] = url.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['ssl', 'uselibpqcompat']) parameters.delete(name);
  parameters.set('sslmode', 'verify-full');
  parameters.set('sslrootcert', caFile);
  return `${base}?${parameters}`;
}
