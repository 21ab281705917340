import { setting, type Values } from '@cadastre/service';

/** The settings of limits, for each service that the public uses; -1 means no limit. */
export const limitSettings = {
  personalObjects: setting.integer({
    name: 'CADASTRE_LIMITS_PERSONAL_OBJECTS',
    doc: 'Persons and roles that a client may see in one day (UTC); -1: no limit.',
    default: 5000,
    min: -1,
  }),
  queriesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_QUERIES',
    doc: 'Reads that a client may send per second, ten times as many for accounts; -1: no limit.',
    default: 50,
    min: -1,
  }),
  searchesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_SEARCHES',
    doc: 'Searches that a client may send per second, ten times as many for accounts; they also count as reads. -1: no limit.',
    default: 20,
    min: -1,
  }),
  updatesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_UPDATES',
    doc: 'Writes that a client may send per second, ten times as many for accounts; -1: no limit.',
    default: 10,
    min: -1,
  }),
  concurrentRequests: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_REQUESTS',
    doc: 'Concurrent requests of a client at one gateway; -1: no limit.',
    default: 100,
    min: -1,
  }),
  concurrentSearches: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_SEARCHES',
    doc: 'Concurrent searches of a client at one gateway; -1: no limit.',
    default: 10,
    min: -1,
  }),
  concurrentUpdates: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_UPDATES',
    doc: 'Concurrent writes of a client at one gateway; -1: no limit.',
    default: 10,
    min: -1,
  }),
  concurrentStreams: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_STREAMS',
    doc: 'Concurrent change streams of a client at one gateway; -1: no limit.',
    default: 3,
    min: -1,
  }),
  searchObjects: setting.integer({
    name: 'CADASTRE_LIMITS_SEARCH_OBJECTS',
    doc: 'Objects that one anonymous search may return, and skip by "offset"; ten times as many for accounts; -1: no limit.',
    default: 10_000,
    min: -1,
  }),
  bulkResources: setting.integer({
    name: 'CADASTRE_LIMITS_BULK_RESOURCES',
    doc: 'Addresses, prefixes and AS numbers that a client may send to bulk lookups per minute, ten times as many for accounts; -1: no limit.',
    default: 20_000,
    min: -1,
  }),
  failedCredentials: setting.integer({
    name: 'CADASTRE_LIMITS_FAILED_CREDENTIALS',
    doc: 'Wrong credentials that a client may send per minute; -1: no limit.',
    default: 300,
    min: -1,
  }),
  unknownAccounts: setting.integer({
    name: 'CADASTRE_LIMITS_UNKNOWN_ACCOUNTS',
    doc: 'Names of "auth: SSO" lines without an account that a client may send per minute; -1: no limit.',
    default: 30,
    min: -1,
  }),
  bytes: setting.integer({
    name: 'CADASTRE_LIMITS_BYTES',
    doc: 'Bytes of large responses and requests that a client may have per minute, ten times as many for accounts; -1: no limit.',
    default: 64_000_000,
    min: -1,
  }),
  processing: setting.integer({
    name: 'CADASTRE_LIMITS_PROCESSING',
    doc: 'Milliseconds that the requests of a client may be worked on per minute, ten times as many for accounts; -1: no limit.',
    default: 30_000,
    min: -1,
  }),
  limitsExempt: setting.list({
    name: 'CADASTRE_LIMITS_EXEMPT',
    doc: 'Addresses and prefixes without limits; the operator can still block them.',
    default: [],
  }),
  limitsOverrides: setting.list({
    name: 'CADASTRE_LIMITS_OVERRIDES',
    doc:
      'Different limits for a prefix, an address or an account; the most specific entry applies: ' +
      '"192.0.2.0/24 personal-objects=20000 queries=-1, account:alice@example.net personal-objects=-1".',
    default: [],
  }),
  blockAfter: setting.integer({
    name: 'CADASTRE_LIMITS_BLOCK_AFTER',
    doc: 'Seconds with a refused request, within ten minutes, after which the gateway blocks a client temporarily; 0: never.',
    default: 60,
    max: 600,
  }),
  blockTime: setting.duration({
    name: 'CADASTRE_LIMITS_BLOCK_TIME',
    doc: 'Duration of such a block.',
    default: '1h',
  }),
  redisUrl: setting.secret({
    name: 'CADASTRE_REDIS_URL',
    doc:
      'Redis through which gateways share their counts: redis://user:password@host:6379/0, or ' +
      'redis+sentinel://user:password@host:26379,host:26379/name/0 for the primary that Sentinels name; rediss for TLS. ' +
      'Default: none, each gateway counts alone.',
    optional: true,
  }),
  redisPassword: setting.secret({
    name: 'CADASTRE_REDIS_PASSWORD',
    doc: 'Password of Redis, instead of one in the URL.',
    optional: true,
  }),
  redisSentinelPassword: setting.secret({
    name: 'CADASTRE_REDIS_SENTINEL_PASSWORD',
    doc: 'Password of the Sentinels.',
    optional: true,
  }),
  redisCaFile: setting.text({
    name: 'CADASTRE_REDIS_CA_FILE',
    doc: "PEM file of the CA that signed the certificates of Redis and the Sentinels; the system's CAs by default.",
    optional: true,
  }),
};

/** The values of these settings. */
export type LimitSettings = Values<typeof limitSettings>;
