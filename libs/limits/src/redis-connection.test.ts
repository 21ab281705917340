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

const none = { redisPassword: undefined, redisSentinelPassword: undefined, redisCaFile: undefined };

/** The options with which it would connect. */
function optionsOf(redisUrl: string, more: Partial<RedisAccess> = {}): RedisOptions {
  const redis = connectToRedis({ ...none, redisUrl, ...more }, { lazyConnect: true, commandTimeout: 7 });
  redis.disconnect();
  return redis.options;
}

test.each<[string, Partial<RedisAccess>, RedisOptions]>([
  ['redis://cache', {}, { host: 'cache', port: 6379, db: 0 }],
  ['redis://u:p%40@cache:7000/2', {}, { host: 'cache', port: 7000, username: 'u', password: 'p@', db: 2 }],
  ['redis://u@cache', { redisPassword: 'p%41/@' }, { host: 'cache', username: 'u', password: 'p%41/@' }],
  ['/run/redis.sock', {}, { path: '/run/redis.sock' }],
  [
    'redis+sentinel://one,two:7001,[2001:db8::1]:7002/main',
    {},
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
    'redis+sentinel://u:p%2F@one/main/3',
    { redisSentinelPassword: 's' },
    { sentinels: [{ host: 'one', port: 26379 }], username: 'u', password: 'p/', sentinelPassword: 's', db: 3 },
  ],
  ['redis+sentinel://:wrong@one/main', { redisPassword: 'p' }, { password: 'p' }],
])('%s %o', (url, more, expected) => {
  expect(optionsOf(url, more)).toMatchObject(expected);
});

test('TLS uses the CA file, for the Sentinels too', () => {
  expect(optionsOf('redis://cache', { redisCaFile: caFile }).tls).toBeUndefined();
  expect(optionsOf('rediss://cache', { redisCaFile: caFile })).toMatchObject({ tls: { ca } });
  expect(optionsOf('rediss+sentinel://one/main', { redisCaFile: caFile })).toMatchObject({
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
])('%s is refused, without showing it', (url) => {
  const attempt = () => optionsOf(url);
  expect(attempt).toThrow(SettingsError);
  expect(attempt).toThrow(/^CADASTRE_REDIS_URL: must have the form (?!.*topsecret)/);
});

test('a CA file that cannot be read is refused', () => {
  expect(() => optionsOf('rediss://cache', { redisCaFile: '/nowhere' })).toThrow(/CADASTRE_REDIS_CA_FILE.*nowhere/);
});
