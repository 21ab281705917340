import { SettingsError } from './read-settings.js';

/** Files for mutual TLS between services, all PEM. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
  caFile: string;
}

/** The TLS files of `baseSettings`: all three, or `undefined` when none is set. Throws a SettingsError otherwise. */
export function tlsFiles(settings: {
  tlsCertFile: string | undefined;
  tlsKeyFile: string | undefined;
  tlsCaFile: string | undefined;
}): TlsFiles | undefined {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsCaFile: caFile } = settings;
  if (certFile && keyFile && caFile) return { certFile, keyFile, caFile };
  if (!certFile && !keyFile && !caFile) return undefined;
  throw new SettingsError(['CADASTRE_TLS_CERT_FILE, CADASTRE_TLS_KEY_FILE and CADASTRE_TLS_CA_FILE: set all or none']);
}
