import { contentOfFile, SettingsError } from '@cadastre/service';
import { Redis, type RedisOptions } from 'ioredis';
import type { LimitSettings } from './settings.js';

/** Where Redis is, and how a gateway proves who it is. */
export type RedisAccess = Pick<LimitSettings, 'storeCaFile'> & { readonly redisUrl: string };

/** `redis+sentinel://user:password@host:port,host:port/name/database?sentinelPassword=password` */
const sentinelForm =
  /^rediss?\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<secret>[^@/]*))?@)?(?<hosts>[^@/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d+))?(?:\?sentinelPassword=(?<sentinelSecret>[^&#]+))?$/;
const sentinelPort = 26_379;

/** Connects to one Redis, or to the primary that Sentinels name. Throws a SettingsError. */
export function connectToRedis(access: RedisAccess, options: RedisOptions): Redis {
  const { redisUrl: url } = access;
  const tls = url.startsWith('rediss')
    ? { tls: { ca: contentOfFile('CADASTRE_STORE_CA_FILE', access.storeCaFile) } }
    : {};
  const found = { ...options, ...tls };
  return /^rediss?\+sentinel:/.test(url) ? new Redis({ ...found, ...primaryOf(url, found) }) : new Redis(url, found);
}

function primaryOf(redisUrl: string, { tls, commandTimeout }: RedisOptions): RedisOptions {
  const { user, secret, hosts, name, db = '0', sentinelSecret } = sentinelForm.exec(redisUrl)?.groups ?? {};
  if (hosts === undefined || name === undefined) throw invalidUrl();
  return {
    sentinels: hosts.split(',').map(addressOf),
    name: decoded(name),
    username: decoded(user),
    password: decoded(secret),
    db: Number(db),
    sentinelPassword: decoded(sentinelSecret),
    sentinelCommandTimeout: commandTimeout,
    ...(tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  };
}

/** `host`, `host:port` or `[address]:port` of a Sentinel. */
function addressOf(text: string): { host: string; port: number } {
  const { hostname, port } = parsed(`redis://${text}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? sentinelPort : Number(port) };
}

function parsed(url: string): URL {
  const result = URL.parse(url);
  if (!result?.hostname) throw invalidUrl();
  return result;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    throw invalidUrl();
  }
}

/** Does not show the URL, which may contain a password. */
function invalidUrl(): SettingsError {
  const forms = 'redis://host:port/database or redis+sentinel://host:port,host:port/name/database';
  return new SettingsError([`CADASTRE_REDIS_URL: must have the form ${forms}`]);
}
