import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '@cadastre/service';
import type { RedisOptions } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToRedis, type RedisAccess } from './redis-connection.js';

const ca = Buffer.from('a certificate');
let directory: string;
let caFile: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-redis-ca-'));
  caFile = join(directory, 'ca.crt');
  writeFileSync(caFile, ca);
});
afterAll(() => rm(directory, { recursive: true }));

/** The options with which it would connect. */
function optionsOf(redisUrl: string, more: Partial<RedisAccess> = {}): RedisOptions {
  const redis = connectToRedis({ storeCaFile: undefined, redisUrl, ...more }, { lazyConnect: true, commandTimeout: 7 });
  redis.disconnect();
  return redis.options;
}

test.each<[string, RedisOptions]>([
  ['redis://cache', { host: 'cache', port: 6379, db: 0 }],
  ['redis://u:p%40@cache:7000/2', { host: 'cache', port: 7000, username: 'u', password: 'p@', db: 2 }],
  ['redis://u:p%2541%2F%40@cache', { host: 'cache', username: 'u', password: 'p%41/@' }],
  ['/run/redis.sock', { path: '/run/redis.sock' }],
  [
    'redis+sentinel://one,two:7001,[2001:db8::1]:7002/main',
    {
      sentinels: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 7001 },
        { host: '2001:db8::1', port: 7002 },
      ],
      name: 'main',
      db: 0,
      sentinelCommandTimeout: 7,
      enableTLSForSentinelMode: false,
    },
  ],
  [
    'redis+sentinel://u:p%2F@one/main/3?sentinelPassword=s%40',
    { sentinels: [{ host: 'one', port: 26379 }], username: 'u', password: 'p/', sentinelPassword: 's@', db: 3 },
  ],
  ['redis+sentinel://:p@one/main', { password: 'p' }],
  ['redis+sentinel://one/main?sentinelPassword=s', { db: 0, sentinelPassword: 's' }],
])('%s', (url, expected) => {
  expect(optionsOf(url)).toMatchObject(expected);
});

test('TLS uses the CA file, for the Sentinels too', () => {
  expect(optionsOf('redis://cache', { storeCaFile: caFile }).tls).toBeUndefined();
  expect(optionsOf('rediss://cache', { storeCaFile: caFile })).toMatchObject({ tls: { ca } });
  expect(optionsOf('rediss+sentinel://one/main', { storeCaFile: caFile })).toMatchObject({
    tls: { ca },
    sentinelTLS: { ca },
    enableTLSForSentinelMode: true,
  });
});

test.each([
  ['redis+sentinel://one'],
  ['redis+sentinel:///main'],
  ['redis+sentinel://one:x/main'],
  ['redis+sentinel://u:%zz@one/main'],
  ['redis+sentinel://u:topsecret@one/main/x'],
  ['redis+sentinel://one/main?sentinelpassword=topsecret'],
])('%s is refused, without showing it', (url) => {
  const attempt = () => optionsOf(url);
  expect(attempt).toThrow(SettingsError);
  expect(attempt).toThrow(/^CADASTRE_REDIS_URL: must have the form (?!.*topsecret)/);
});

test('a CA file that cannot be read is refused', () => {
  expect(() => optionsOf('rediss://cache', { storeCaFile: '/nowhere' })).toThrow(/CADASTRE_STORE_CA_FILE.*nowhere/);
});
