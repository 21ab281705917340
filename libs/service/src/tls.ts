import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import { Gauge } from 'prom-client';
import { errorText } from './errors.js';
import { followFiles } from './follow.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { SettingsError, type Values } from './read-settings.js';
import type { baseSettings } from './shared-settings.js';

/** Settings of `baseSettings` that name PEM files. */
type TlsSettings = Pick<Values<typeof baseSettings>, 'tlsCertFile' | 'tlsKeyFile' | 'tlsCaFile'>;

/** Certificates for mutual TLS between services; new connections use the newest files. */
export interface MutualTls {
  /** For gRPC servers and clients. */
  provider: experimental.CertificateProvider;
  /** Calls `listener` each time the CA was replaced and new connections use the new one. */
  onNewAuthority(listener: () => void): void;
  close(): void;
}

interface Certificates {
  certificate: Buffer;
  privateKey: Buffer;
  caCertificate: Buffer;
  notAfter: Date;
}

type Listener = (certificates: Certificates) => void;

export interface TlsOptions {
  logger?: Logger;
  /** Registers `cadastre_rpc_certificate_not_after_seconds`. */
  metrics?: Metrics;
  /** Time between two reads of the files in milliseconds. */
  intervalMs?: number;
}

/**
 * Opens the certificates that the settings name: all three files, or `undefined` when none is set. Rereads changed
 * files; logs those that are invalid and continues with the old ones. Throws a SettingsError for bad settings or files.
 */
export function mutualTls(settings: TlsSettings, o: TlsOptions = {}): MutualTls | undefined {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = settings;
  if (!tlsCertFile && !tlsKeyFile && !tlsCaFile) return undefined;
  if (!tlsCertFile || !tlsKeyFile || !tlsCaFile) {
    throw new SettingsError([
      'CADASTRE_TLS_CERT_FILE, CADASTRE_TLS_KEY_FILE and CADASTRE_TLS_CA_FILE: set all or none',
    ]);
  }
  const listeners = new Set<Listener>();
  const authorityListeners: (() => void)[] = [];
  const followed = orSettingsError(() =>
    followFiles({
      files: [tlsCertFile, tlsKeyFile, tlsCaFile],
      read: readCertificates,
      onChange: (certificates) => {
        o.logger?.info({ notAfter: certificates.notAfter }, 'certificates replaced');
        for (const listener of listeners) listener(certificates);
        if (certificates.caCertificate.equals(authority)) return;
        authority = certificates.caCertificate;
        for (const listener of authorityListeners) listener();
      },
      onProblem: (error) => o.logger?.error({ reason: errorText(error) }, 'cannot use the new certificates'),
      ...(o.intervalMs === undefined ? {} : { intervalMs: o.intervalMs }),
    }),
  );
  let authority = followed.current().caCertificate;
  if (o.metrics) reportEnd(o.metrics, () => followed.current().notAfter);
  return {
    provider: providerOf(followed.current, listeners),
    onNewAuthority: (listener) => authorityListeners.push(listener),
    close: followed.stop,
  };
}

function orSettingsError<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new SettingsError([
      `CADASTRE_TLS_CERT_FILE, CADASTRE_TLS_KEY_FILE, CADASTRE_TLS_CA_FILE: ${errorText(error)}`,
    ]);
  }
}

/** Throws when certificate, key and CA do not match. */
function readCertificates([certificate, privateKey, caCertificate]: Buffer[]): Certificates {
  createSecureContext({ cert: certificate, key: privateKey, ca: caCertificate });
  const notAfter = new Date(new X509Certificate(certificate!).validTo);
  return { certificate: certificate!, privateKey: privateKey!, caCertificate: caCertificate!, notAfter };
}

/** The certificate provider of grpc-js; calls each listener immediately and at every change. */
function providerOf(current: () => Certificates, listeners: Set<Listener>): experimental.CertificateProvider {
  // grpc-js removes a listener by the function that it added.
  const added = new Map<unknown, Listener>();
  const add = (key: unknown, listener: Listener) => {
    added.set(key, listener);
    listeners.add(listener);
    // Not synchronously: grpc-js is not ready for a call while it adds the listener.
    process.nextTick(() => listener(current()));
  };
  const remove = (key: unknown) => {
    listeners.delete(added.get(key)!);
    added.delete(key);
  };
  return {
    addCaCertificateListener: (listener) => add(listener, ({ caCertificate }) => listener({ caCertificate })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) =>
      add(listener, ({ certificate, privateKey }) => listener({ certificate, privateKey })),
    removeIdentityCertificateListener: remove,
  };
}

function reportEnd(metrics: Metrics, notAfter: () => Date): void {
  new Gauge({
    name: 'cadastre_rpc_certificate_not_after_seconds',
    help: 'Expiry of the certificate of this service, in seconds since 1970',
    registers: [metrics],
    collect() {
      this.set(notAfter().getTime() / 1000);
    },
  });
}
