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
 * The certificate that the settings name, else the self-signed one in the data directory. Makes another self-signed one
 * when it is missing, damaged, not that of its key, or about to expire. Throws a SettingsError when the settings name
 * only one of certificate and key, or files that cannot be read or do not belong together.
 */
export async function serverCertificate(settings: CertificateSettings, logger: Logger): Promise<CertificateWithKey> {
  const { certificateFile, certificateKeyFile } = settings;
  if (certificateFile && certificateKeyFile) {
    return settingsCertificate(certificateFile, certificateKeyFile);
  }
  if (certificateFile || certificateKeyFile) {
    throw new SettingsError(['CADASTRE_HTTPS_CERT_FILE and CADASTRE_HTTPS_KEY_FILE: set both or none']);
  }
  return (await storedCertificate(settings.dataDirectory, logger)) ?? (await makeCertificate(settings.dataDirectory));
}

/** When a certificate is valid. Throws an Error when it cannot be read, or the key is not its own. */
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

/** The pair in the data directory; `undefined` when there is none, or it needs to be replaced, which is logged. */
async function storedCertificate(dataDirectory: string, logger: Logger): Promise<CertificateWithKey | undefined> {
  const files = selfSignedFiles(dataDirectory);
  try {
    const pair = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    const { from, until } = validityOf(pair);
    if (from.getTime() > Date.now()) throw new Error(`the certificate is valid from ${from.toISOString()} only`);
    if (until.getTime() - Date.now() > renewBeforeDays * dayMs) return pair;
    logger.info({ until }, 'the self-signed certificate for HTTPS expires soon: making another');
  } catch (error) {
    const isFirst = (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(files.cert);
    if (!isFirst) logger.warn({ reason: errorText(error) }, 'the self-signed pair for HTTPS is broken: making another');
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
  /** Reads the certificate that the files hold now. */
  load(): Promise<CertificateWithKey>;
  /** Uses a certificate for new connections. Throws when it cannot be used. */
  use(certificate: CertificateWithKey): void;
  /** Time between two polls. */
  readonly everyMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Polls `load` and uses what changed. Compares contents, so files may be replaced in one step (Kubernetes) or one after
 * the other. While a pair cannot be used, for example because the key is not that of the certificate, the old one stays;
 * this is logged once, and the pair is tried again.
 */
export function createCertificateFollower(o: CertificateFollowerOptions): CertificateFollower {
  const { expiry, failures } = registerMetrics(o.metrics);
  const show = (until: Date) => expiry.set(until.getTime() / 1000);
  let stop = () => {};
  return {
    start() {
      const { from, until } = validityOf(o.current);
      show(until);
      // Serve all the same.
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
          if (!repeated) o.logger.error({ reason }, 'the new certificate for HTTPS cannot be used; the old one stays');
        },
        intervalMs: o.everyMs,
      });
    },
    stop: () => stop(),
  };
}

/** Uses a certificate and returns when it expires. Throws when it is not valid now, or cannot be used. */
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
      help: 'Looks for a new certificate for HTTPS that found one that cannot be used.',
      registers,
    }),
  };
}
