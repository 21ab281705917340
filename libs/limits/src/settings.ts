import { type Setting, setting, storeCaSettings, type Values } from '@cadastre/service';
import type { GivenLimits } from './policy.js';
import { readLimits, usualLimits } from './read-limits.js';

/** The settings of limits, for each service that the public asks. */
export const limitSettings = {
  ...storeCaSettings,
  limits: limitsOf({
    name: 'CADASTRE_LIMITS',
    doc:
      'Limits of each client: NAME=NUMBER of those that shall differ, separated by spaces; -1: no limit. After a comma, ' +
      'those of a prefix, an address or an account, the most specific one applies; or "exempt", which only the operator ' +
      'can still block: "queries=100 block-after=0, 192.0.2.0/24 queries=-1, account:alice@example.net ' +
      'personal-objects=-1, 198.51.100.7 exempt". docs/operate/limits.md tells what each limit counts.',
  }),
  redisUrl: setting.secret({
    name: 'CADASTRE_REDIS_URL',
    doc:
      'Redis through which gateways share their counts: redis://user:password@host:6379/0, or ' +
      'redis+sentinel://user:password@host:26379,host:26379/name/0?sentinelPassword=password for the primary that ' +
      'Sentinels name; rediss for TLS. ' +
      'Default: none, each gateway counts alone.',
    optional: true,
  }),
};

/** The values of these settings. */
export type LimitSettings = Values<typeof limitSettings>;

function limitsOf(named: { name: string; doc: string }): Setting<GivenLimits> {
  const usual = readLimits('');
  if ('problem' in usual) throw new Error(usual.problem);
  return {
    ...setting.text({ ...named, default: usualLimits }),
    form: 'NAME=NUMBER ..., CLIENT NAME=NUMBER ...',
    parse: readLimits,
    fallback: usual.value,
  };
}
