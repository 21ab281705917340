import type { Logger } from './logger.js';
import type { SettingsSpec, Values } from './read-settings.js';

/** Something that runs until it is stopped. */
export interface Service {
  start(): Promise<void>;
  /** Finishes what is running, then releases everything. */
  stop(): Promise<void>;
}

/**
 * Runs a service until SIGTERM or SIGINT (drains, exits 0; a second signal exits at once) or, with
 * CADASTRE_PARENT_PIPE=1, until the parent process is gone (its end of standard input closes).
 */
export async function runService(_create: () => Promise<Service>, _logger: Logger): Promise<void> {
  throw new Error('not written yet');
}

/**
 * The whole of a service's main: `--help` prints the settings; bad settings print one line each and exit 1;
 * otherwise the service is created and run. The spec must hold `baseSettings`.
 */
export async function runMain<S extends SettingsSpec>(
  _name: string,
  _spec: S,
  _create: (settings: Values<S>, logger: Logger) => Promise<Service>,
): Promise<void> {
  throw new Error('not written yet');
}
