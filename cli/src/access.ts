import { readFileSync } from 'node:fs';
import { baseSettings, type ConnectOptions, mutualTls, readSettings } from '@cadastre/service';
import { CommandFailure } from './failure.js';
import type { Io } from './io.js';

/** How the program authenticates: by a token, a certificate, or not at all. */
export type Access = Pick<ConnectOptions, 'tls' | 'token'>;

/**
 * Reads the files that the environment names: CADASTRE_TOKEN_FILE with CADASTRE_TLS_CA_FILE, or the three files of
 * mutual TLS, or none. Throws a CommandFailure or a SettingsError for any other combination, and for files that are not
 * certificates.
 */
export function accessOf(env: Io['env']): Access {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = baseSettings;
  const tokenFile = env.CADASTRE_TOKEN_FILE;
  if (!tokenFile) return { tls: mutualTls(readSettings({ tlsCertFile, tlsKeyFile, tlsCaFile }, env)) };
  const { CADASTRE_TLS_CA_FILE: caFile, CADASTRE_TLS_CERT_FILE: certFile, CADASTRE_TLS_KEY_FILE: keyFile } = env;
  if (!caFile || certFile || keyFile) {
    throw new CommandFailure('CADASTRE_TOKEN_FILE needs CADASTRE_TLS_CA_FILE, and excludes the other TLS files');
  }
  const token = readFileSync(tokenFile, 'utf8').trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CommandFailure(`CADASTRE_TOKEN_FILE: ${tokenFile} has no token`);
  return { token: { ca: readFileSync(caFile), token } };
}
