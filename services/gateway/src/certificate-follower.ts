import { errorText, follow, type Logger, type Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import { type ServerCertificate, validityOf } from './certificate.js';

/** Takes a new certificate into use without a restart. */
export interface CertificateFollower {
  start(): void;
  stop(): void;
}

export interface CertificateFollowerOptions {
  /** The one in use. */
  readonly current: ServerCertificate;
  /** What there is now. */
  load(): Promise<ServerCertificate>;
  /** Takes one into use for connections from now on; throws when it is none. */
  use(certificate: ServerCertificate): void;
  /** How long between two looks. */
  readonly everyMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Looks again and again for another certificate. Contents are compared, so it does not matter how files are replaced,
 * in one step (Kubernetes) or one after the other: a key that does not belong to its certificate, and everything
 * else that cannot be used, leaves the old one in use, is logged once and tried again.
 */
export function createCertificateFollower(o: CertificateFollowerOptions): CertificateFollower {
  const { expiry, failures } = registerMetrics(o.metrics);
  const show = (until: Date) => expiry.set(until.getTime() / 1000);
  let stop = () => {};
  return {
    start() {
      const { from, until } = validityOf(o.current);
      show(until);
      // Better this than no service at all.
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

/** Answers until when it is valid; throws when it is not, or cannot be used. */
function useValid(found: ServerCertificate, use: CertificateFollowerOptions['use']): Date {
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
