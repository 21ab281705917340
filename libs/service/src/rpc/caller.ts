import { createHash, timingSafeEqual } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import { errorText } from '../errors.js';
import { followFiles } from '../follow.js';
import type { Logger } from '../logger.js';
import { SettingsError } from '../read-settings.js';
import type { SurfaceCall } from './call.js';

/** The caller of a method. */
export interface Caller {
  /** Name of our service or of the operator's system, or the name in the certificate. */
  readonly name: string;
  /**
   * `local`: on a server without certificates, which cannot distinguish callers; `stranger`: valid certificate, unknown
   * name; `unknown`: neither a certificate nor a known token.
   */
  readonly kind: 'local' | 'service' | 'system' | 'stranger' | 'unknown';
}

/** The names with grants, in lower case. */
export interface KnownCallers {
  /** Our services by the names in their certificates. */
  readonly services: ReadonlyMap<string, string>;
  /** The operator's own systems. */
  readonly systems: ReadonlySet<string>;
}

const local: Caller = { name: 'local', kind: 'local' };
const unknownCaller: Caller = { name: 'unknown', kind: 'unknown' };

/** Identifies the caller by certificate, else by the token in the metadata `authorization: Bearer ...`. */
export function callerOf(
  surface: Pick<SurfaceCall, 'metadata' | 'getAuthContext'>,
  o: { known: KnownCallers; tokens: CallerTokens | undefined; withTls: boolean },
): Caller {
  // Empty unless our CA signed the certificate.
  const certificate = surface.getAuthContext().sslPeerCertificate;
  // The handshake checked the dates, possibly long ago.
  if (certificate && Date.parse(certificate.valid_to) < Date.now()) return unknownCaller;
  if (certificate) return certified(namesOf(certificate), o.known);
  const authorization = surface.metadata.get('authorization')[0];
  if (authorization !== undefined) return byToken(String(authorization), o.tokens);
  return o.withTls ? unknownCaller : local;
}

function certified(names: readonly string[], { services, systems }: KnownCallers): Caller {
  const service = names.map((name) => services.get(name)).find((found) => found !== undefined);
  if (service !== undefined) return { name: service, kind: 'service' };
  const system = names.find((name) => systems.has(name));
  if (system !== undefined) return { name: system, kind: 'system' };
  return { name: names[0] ?? 'stranger', kind: 'stranger' };
}

/** A token never identifies one of our services. */
function byToken(authorization: string, tokens: CallerTokens | undefined): Caller {
  const name = tokens?.nameOf(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
  return name === undefined ? unknownCaller : { name, kind: 'system' };
}

/** DNS names and URIs of the subjectAltName (RFC 5280, section 4.2.1.6), in lower case. */
export function namesOf({ subjectaltname = '' }: Pick<PeerCertificate, 'subjectaltname'>): string[] {
  // Names with special characters are quoted (and could then hold a comma): none of our names needs any.
  if (subjectaltname.includes('"')) return [];
  return subjectaltname
    .split(', ')
    .filter((entry) => /^(DNS|URI):/.test(entry))
    .map((entry) => entry.slice('DNS:'.length).toLowerCase());
}

/** The tokens of callers without certificates. */
interface CallerTokens {
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
