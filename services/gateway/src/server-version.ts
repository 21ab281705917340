import { readFileSync } from 'node:fs';
import type { ServerVersion } from './format/resource.js';
import type { GatewaySettings } from './settings.js';

/** The version of this software, as answers tell it. */
export function serverVersion({ buildTime, buildCommit }: GatewaySettings): ServerVersion {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return {
    version,
    ...(buildTime === undefined ? {} : { timestamp: buildTime }),
    ...(buildCommit === undefined ? {} : { commitId: buildCommit }),
  };
}
