import { createHash, timingSafeEqual } from 'node:crypto';
import { errorText } from '../errors.js';
import { followFiles } from '../follow-files.js';
import type { Logger } from '../logger.js';
import { SettingsError } from '../read-settings.js';

/** The tokens of callers without certificates. */
export interface CallerTokens {
  /** Name of the caller with this token. */
  nameOf(token: string): string | undefined;
  close(): void;
}

interface Entry {
  name: string;
  digest: Buffer;
}

/**
 * Follows a file with lines `NAME SHA256` (hex, of the token's bytes); ignores empty lines and those that begin with #.
 * The file reveals no token. Throws a SettingsError that lists the wrong lines.
 */
export function openCallerTokens(file: string, logger: Logger, intervalMs?: number): CallerTokens {
  try {
    const followed = followFiles({
      files: [file],
      read: ([content]) => readTokens(content!.toString('utf8')),
      onChange: (entries) => logger.info({ callers: entries.length }, 'caller tokens replaced'),
      onProblem: (error) => logger.error({ reason: errorText(error) }, 'cannot use the new caller tokens'),
      ...(intervalMs === undefined ? {} : { intervalMs }),
    });
    return { nameOf: (token) => findName(followed.current(), token), close: followed.stop };
  } catch (error) {
    throw new SettingsError([`CADASTRE_RPC_TOKENS_FILE: ${errorText(error)}`]);
  }
}

function readTokens(text: string): Entry[] {
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const match = /^\s*(\S+)\s+([0-9a-fA-F]{64})\s*$/.exec(line);
    if (!match) throw new Error(`line ${index + 1} is not "NAME SHA256" (64 hexadecimal digits)`);
    return [{ name: match[1]!.toLowerCase(), digest: Buffer.from(match[2]!, 'hex') }];
  });
}

/** Compares with every entry, so that the time reveals nothing. */
function findName(entries: readonly Entry[], token: string): string | undefined {
  const digest = createHash('sha256').update(token).digest();
  const found = entries.filter((entry) => timingSafeEqual(entry.digest, digest));
  return found[0]?.name;
}
