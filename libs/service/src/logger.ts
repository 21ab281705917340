import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

/** Structured log, one JSON line per event. */
export type Logger = PinoLogger;

const secretNames = ['authorization', 'cookie', 'credential', 'secret', 'password', 'auth', 'token'];

/** Paths of the fields that the log omits: at the top of an event, and one and two levels below. */
const redactedPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * Makes the logger of a service; levels as in CADASTRE_LOG_LEVEL, to standard output by default, or to the end of a
 * file. Child loggers carry the request identifier.
 */
export function createLogger(o: {
  service: string;
  level?: string;
  file?: string | undefined;
  destination?: DestinationStream;
}): Logger {
  const options = {
    level: o.level ?? 'info',
    base: { service: o.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  };
  const destination = o.file === undefined ? o.destination : pino.destination(o.file);
  return destination ? pino(options, destination) : pino(options);
}
