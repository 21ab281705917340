import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createLogger, type Logger } from '../src/logger.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory for the logs ("logs") and the secrets ("secrets") of the test run, one file per worker. */
    testLogs: string;
  }
}

let logger: Logger | undefined;

/** A logger that writes every event to a file. After all tests, the run fails if one has a secret. */
export function testLogger(): Logger {
  const destination = () => pino.destination({ dest: workerFile('logs'), sync: true });
  logger ??= createLogger({ service: 'test', level: 'trace', destination: destination() });
  return logger;
}

/** Shorter texts may appear in logs by chance. */
const minLength = 8;
/** So may filler of few characters ("xxxx...", sent to test length limits). */
const minDifferentCharacters = 3;

function isSecret(text: string): boolean {
  return text.length >= minLength && new Set(text).size >= minDifferentCharacters;
}

/** Registers texts that no log may hold: keys, tokens, passwords. Includes the parts of a credential. */
export function keepSecret(...texts: (string | undefined)[]): void {
  const secrets = texts.filter((text) => text !== undefined).flatMap((text) => [text, ...partsOf(text)]);
  const lines = [...new Set(secrets)].filter(isSecret);
  if (lines.length > 0)
    appendFileSync(workerFile('secrets'), lines.map((secret) => `${JSON.stringify(secret)}\n`).join(''));
}

/** Registers the credentials in the headers of a request. */
export function keepHeadersSecret(headers: Readonly<Record<string, string | string[] | number | undefined>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^(authorization|cookie)$/i.test(name)) keepSecret(String(value), ...valuesIn(String(value)));
  }
}

/** "Basic x" and "Bearer x" hold x; "a=x; b=y" holds x and y. */
function valuesIn(header: string): string[] {
  const scheme = /^(?:Basic|Bearer) +(.+)$/i.exec(header)?.[1];
  if (scheme !== undefined) return [scheme, ...partsOf(scheme)];
  return header.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
}

/** An API key in Base64 holds a secret behind its identifier; a token has a signature behind its last dot. */
function partsOf(text: string): string[] {
  const [, secret] = /^\w{24}:(.+)$/s.exec(Buffer.from(text, 'base64').toString('latin1')) ?? [];
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(text) ?? [];
  return [secret, signature].filter((part) => part !== undefined);
}

function workerFile(kind: 'logs' | 'secrets'): string {
  return join(inject('testLogs'), kind, `worker-${process.pid}.log`);
}
