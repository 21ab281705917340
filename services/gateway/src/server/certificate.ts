import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorText, follow, type Logger, type Metrics, SettingsError } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import type { GatewaySettings } from '../settings.js';
import { type CertificateWithKey, makeSelfSigned } from './self-signed.js';

type CertificateSettings = Pick<GatewaySettings, 'certificateFile' | 'certificateKeyFile' | 'dataDirectory'>;

const dayMs = 86_400_000;
const lifetimeDays = 397;
const renewBeforeDays = 30;
const loopbackAddresses = [Buffer.of(127, 0, 0, 1), Buffer.concat([Buffer.alloc(15), Buffer.of(1)])];

/**
 * The certificate in the settings, else the self-signed one in the data directory. Creates a new self-signed one when
 * it is missing, damaged, does not match its key, or is about to expire. Throws a SettingsError when the settings have
 * only one of certificate and key, or files that are unreadable or do not match.
 */
export async function serverCertificate(settings: CertificateSettings, logger: Logger): Promise<CertificateWithKey> {
  const { certificateFile, certificateKeyFile } = settings;
  if (certificateFile && certificateKeyFile) return settingsCertificate(certificateFile, certificateKeyFile);
  if (certificateFile || certificateKeyFile) {
    throw new SettingsError(['CADASTRE_HTTPS_CERT_FILE and CADASTRE_HTTPS_KEY_FILE: set both or none']);
  }
  return (await storedCertificate(settings.dataDirectory, logger)) ?? (await makeCertificate(settings.dataDirectory));
}

/** The validity of a certificate. Throws an Error when it is unreadable, or does not match the key. */
export function validityOf({ cert, key }: CertificateWithKey): { from: Date; until: Date } {
  const certificate = new X509Certificate(cert);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate');
  return { from: certificate.validFromDate, until: certificate.validToDate };
}

async function settingsCertificate(certificateFile: string, keyFile: string): Promise<CertificateWithKey> {
  const pair = {
    cert: await readSetting('CADASTRE_HTTPS_CERT_FILE', certificateFile),
    key: await readSetting('CADASTRE_HTTPS_KEY_FILE', keyFile),
  };
  try {
    validityOf(pair);
    return pair;
  } catch (error) {
    throw new SettingsError([`CADASTRE_HTTPS_CERT_FILE and CADASTRE_HTTPS_KEY_FILE: ${(error as Error).message}`]);
  }
}

async function readSetting(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SettingsError([`${name}: ${(error as Error).message}`]);
  }
}

/** The files of the self-signed certificate. */
export function selfSignedFiles(dataDirectory: string): { cert: string; key: string } {
  return { cert: join(dataDirectory, 'certificate.pem'), key: join(dataDirectory, 'certificate.key') };
}

/** The pair in the data directory; `undefined` when there is none, or it must be replaced, which is logged. */
async function storedCertificate(dataDirectory: string, logger: Logger): Promise<CertificateWithKey | undefined> {
  const files = selfSignedFiles(dataDirectory);
  try {
    const pair = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    const { from, until } = validityOf(pair);
    if (from.getTime() > Date.now()) throw new Error(`the certificate is valid from ${from.toISOString()} only`);
    if (until.getTime() - Date.now() > renewBeforeDays * dayMs) return pair;
    logger.info({ until }, 'the self-signed certificate for HTTPS expires soon: creating another');
  } catch (error) {
    const isFirst = (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(files.cert);
    if (!isFirst)
      logger.warn({ reason: errorText(error) }, 'the self-signed pair for HTTPS is broken: creating another');
  }
  return undefined;
}

async function makeCertificate(dataDirectory: string): Promise<CertificateWithKey> {
  const pair = await makeSelfSigned({
    commonName: 'localhost',
    serialNumber: `40${randomBytes(15).toString('hex')}`,
    from: new Date(Date.now() - dayMs),
    until: new Date(Date.now() + lifetimeDays * dayMs),
    server: { names: [...new Set(['localhost', hostname()])], addresses: loopbackAddresses },
  });
  const files = selfSignedFiles(dataDirectory);
  await mkdir(dataDirectory, { recursive: true });
  await writeAtOnce(files.key, pair.key, 0o600);
  await writeAtOnce(files.cert, pair.cert, 0o644);
  return pair;
}

async function writeAtOnce(path: string, text: string, mode: number): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text, { mode });
  await rename(unfinished, path);
}

/** Uses new certificates without a restart. */
interface CertificateFollower {
  start(): void;
  stop(): void;
}

interface CertificateFollowerOptions {
  /** The certificate in use. */
  readonly current: CertificateWithKey;
  /** Reads the current certificate from the files. */
  load(): Promise<CertificateWithKey>;
  /** Uses a certificate for new connections. Throws when it is unusable. */
  use(certificate: CertificateWithKey): void;
  /** Time between two polls. */
  readonly everyMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Polls `load` and uses changes. Compares contents, so files may be replaced in one step (Kubernetes) or one after the
 * other. While a pair is unusable, for example because the key does not match the certificate, continues with the old
 * one; logs this once, and tries the pair again.
 */
export function createCertificateFollower(o: CertificateFollowerOptions): CertificateFollower {
  const { expiry, failures } = registerMetrics(o.metrics);
  const show = (until: Date) => expiry.set(until.getTime() / 1000);
  let stop = () => {};
  return {
    start() {
      const { from, until } = validityOf(o.current);
      show(until);
      // Serves anyway.
      if (!isNow(from, until))
        o.logger.error({ reason: outside(from, until) }, 'the certificate for HTTPS is not valid');
      stop = follow({
        current: o.current,
        load: o.load,
        isSame: (one, other) => one.cert === other.cert && one.key === other.key,
        use(found) {
          const until = useValid(found, o.use);
          show(until);
          o.logger.info({ until }, 'new certificate for HTTPS in use');
        },
        onProblem(error, repeated) {
          failures.inc();
          const reason = errorText(error);
          if (!repeated)
            o.logger.error({ reason }, 'cannot use the new certificate for HTTPS: continuing with the previous one');
        },
        intervalMs: o.everyMs,
      });
    },
    stop: () => stop(),
  };
}

/** Uses a certificate and returns its expiry. Throws when it is not valid now, or is unusable. */
function useValid(found: CertificateWithKey, use: CertificateFollowerOptions['use']): Date {
  const { from, until } = validityOf(found);
  if (!isNow(from, until)) throw new Error(outside(from, until));
  use(found);
  return until;
}

function isNow(from: Date, until: Date): boolean {
  const now = Date.now();
  return from.getTime() <= now && now < until.getTime();
}

function outside(from: Date, until: Date): string {
  return `the certificate is valid from ${from.toISOString()} until ${until.toISOString()}`;
}

function registerMetrics(metrics: Metrics) {
  const registers = [metrics];
  return {
    expiry: new Gauge({
      name: 'cadastre_https_certificate_expiry_timestamp_seconds',
      help: 'When the certificate for HTTPS that is in use expires, as Unix time.',
      registers,
    }),
    failures: new Counter({
      name: 'cadastre_https_certificate_failures_total',
      help: 'Polls of the files of the HTTPS certificate that found an unusable one.',
      registers,
    }),
  };
}
