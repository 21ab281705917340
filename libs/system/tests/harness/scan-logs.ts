import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A line of a log with a forbidden text, which is left out here because it is logged, too. */
export interface Leak {
  file: string;
  line: number;
  kind: string;
}

/** Patterns of secrets of any origin. */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a Basic credential', /\bBasic [A-Za-z0-9+/]{8,}/i],
  ['a token', /\b(?:Bearer [\w.~+/-]{8,}|eyJ[\w-]+\.[\w-]+\.[\w-]*)/i],
  [
    'an Authorization or Cookie header',
    /\b(?:authorization|cookie)\\?["']?\s*[:=]\s*\\?["']?(?!\[redacted\])[^\s"'\\]/i,
  ],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY/],
  ['a signed text', /-----BEGIN (?:PGP SIGNED MESSAGE|PGP SIGNATURE|CMS|PKCS7)/],
  ['a password parameter', /\b(?:password|override)=(?!FILTERED|\[redacted\])[^\s"&]/i],
  ['a password in a URL', /\b[a-z+]+:\/\/[^\s/:@"]*:[^\s/@"]+@/i],
];

/** The lines of the logs in `directory`/logs that contain a secret of `directory`/secrets or match a pattern. */
export async function scanLogs(directory: string): Promise<Leak[]> {
  const secrets = new Set((await linesOf(join(directory, 'secrets'))).map(({ text }) => JSON.parse(text) as string));
  const search = searchFor([...secrets]);
  return (await linesOf(join(directory, 'logs'))).flatMap(({ file, line, text }) => {
    const pattern = patterns.find(([, pattern]) => pattern.test(text))?.[0];
    const kind = pattern ?? (search(text) ? 'a secret of a test' : undefined);
    return kind === undefined ? [] : [{ file, line, kind }];
  });
}

async function linesOf(directory: string): Promise<{ file: string; line: number; text: string }[]> {
  const files = await readdir(directory);
  const read = files.map(async (file) => ({
    file,
    lines: (await readFile(join(directory, file), 'utf8')).split('\n'),
  }));
  return (await Promise.all(read)).flatMap(({ file, lines }) =>
    lines.map((text, index) => ({ file, line: index + 1, text })).filter(({ text }) => text !== ''),
  );
}

const startLength = 8;

/** Whether a text contains one of many secrets (of eight characters or more), in one pass over their prefixes. */
function searchFor(secrets: readonly string[]): (text: string) => boolean {
  // Also in JSON, where line ends and quotes are escaped.
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const byStart = Map.groupBy(written, (secret) => secret.slice(0, startLength));
  return (text) => {
    for (let at = 0; at + startLength <= text.length; at++) {
      const candidates = byStart.get(text.slice(at, at + startLength));
      if (candidates?.some((secret) => text.startsWith(secret, at))) return true;
    }
    return false;
  };
}
