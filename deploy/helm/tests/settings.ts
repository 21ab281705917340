import { readSettings, type SettingsSpec } from '../../../libs/service/src/read-settings.js';
import { migrationSettings as authMigration, authSettings } from '../../../services/auth/src/settings.js';
import { eventsSettings } from '../../../services/events/src/settings.js';
import { gatewaySettings } from '../../../services/gateway/src/settings.js';
import { migrationSettings as mirrorMigration, mirrorSettings } from '../../../services/mirror/src/settings.js';
import { migrationSettings as objectsMigration, objectsSettings } from '../../../services/objects/src/settings.js';
import { searchSettings } from '../../../services/search/src/settings.js';
import { whoisSettings } from '../../../services/whois/src/settings.js';

/** The settings of each service. */
export const settings: Record<string, SettingsSpec> = {
  auth: authSettings,
  events: eventsSettings,
  gateway: gatewaySettings,
  objects: objectsSettings,
  search: searchSettings,
  whois: whoisSettings,
  mirror: mirrorSettings,
};

/** The settings of the migration of each database. */
export const migrations: Record<string, SettingsSpec> = {
  auth: authMigration,
  mirror: mirrorMigration,
  objects: objectsMigration,
};

/** The environment variables of a service. */
export function variables(spec: SettingsSpec): string[] {
  return Object.values(spec).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
}

/** Names of all secret settings. */
export function secretNames(): string[] {
  const secrets = Object.values(settings).flatMap((spec) => Object.values(spec).filter(({ secret }) => secret));
  return [...new Set(secrets.map(({ name }) => name))].sort();
}

/** Reads the environment of a container like its program; secrets are in `file`. Throws a SettingsError. */
export function read(spec: SettingsSpec, environment: Record<string, string>, file: string): void {
  const secrets = new Set(Object.values(spec).flatMap(({ name, secret }) => (secret ? [`${name}_FILE`] : [])));
  const entries = Object.entries(environment).map(([name, value]) => [name, secrets.has(name) ? file : value]);
  readSettings(spec, Object.fromEntries(entries));
}
