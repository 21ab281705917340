import { setting, type Values } from '@cadastre/service';

/** The settings of the query limits. A limit of -1 is none. */
export const limitSettings = {
  personalObjects: setting.integer({
    name: 'CADASTRE_LIMITS_PERSONAL_OBJECTS',
    doc: 'Persons and roles that a client may see in one day (UTC); -1: no limit.',
    default: 5000,
    min: -1,
  }),
  queriesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_QUERIES',
    doc: 'Reading requests that a client may send per second, for example 50; -1: no limit.',
    default: -1,
    min: -1,
  }),
  updatesPerSecond: setting.integer({
    name: 'CADASTRE_LIMITS_UPDATES',
    doc: 'Writing requests that a client may send per second, for example 10; -1: no limit.',
    default: -1,
    min: -1,
  }),
  concurrentRequests: setting.integer({
    name: 'CADASTRE_LIMITS_CONCURRENT_REQUESTS',
    doc: 'Requests of a client that one gateway works on at the same time; -1: no limit.',
    default: 500,
    min: -1,
  }),
  failedCredentials: setting.integer({
    name: 'CADASTRE_LIMITS_FAILED_CREDENTIALS',
    doc: 'Wrong credentials that a client may send per minute; -1: no limit.',
    default: 300,
    min: -1,
  }),
  limitsExempt: setting.list({
    name: 'CADASTRE_LIMITS_EXEMPT',
    doc: 'Addresses and prefixes that no limit holds for; blocks of the operator do.',
    default: [],
  }),
  limitsOverrides: setting.list({
    name: 'CADASTRE_LIMITS_OVERRIDES',
    doc:
      'Other limits for a prefix, an address or an account, the most specific one counts: ' +
      '"192.0.2.0/24 personal-objects=20000 queries=-1, account:alice@example.net personal-objects=-1".',
    default: [],
  }),
  blockAfter: setting.integer({
    name: 'CADASTRE_LIMITS_BLOCK_AFTER',
    doc: 'A client that is refused in so many different seconds of ten minutes is blocked for a time; 0: never.',
    default: 60,
    max: 600,
  }),
  blockTime: setting.duration({
    name: 'CADASTRE_LIMITS_BLOCK_TIME',
    doc: 'How long a client that keeps on is blocked.',
    default: '1h',
  }),
  blockListInterval: setting.duration({
    name: 'CADASTRE_LIMITS_BLOCK_LIST_INTERVAL',
    doc: 'How often the auth service is asked whether the blocks of the operator have changed.',
    default: '2s',
  }),
  redisUrl: setting.secret({
    name: 'CADASTRE_REDIS_URL',
    doc: 'URL of the Redis through which gateways share their counts; without it each counts for itself.',
    optional: true,
  }),
  limitsSync: setting.duration({
    name: 'CADASTRE_LIMITS_SYNC',
    doc: 'How often a gateway adds its counts to those in Redis.',
    default: '100ms',
  }),
};

/** The settings of the query limits as read. */
export type LimitSettings = Values<typeof limitSettings>;
