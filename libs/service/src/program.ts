import { createLogger, type Logger } from './logger.js';
import { type Environment, readSettings, type SettingsSpec, unknownSettings, type Values } from './read-settings.js';
import type { Service } from './service.js';
import type { baseSettings } from './shared-settings.js';

/** The settings that every program needs: those of `baseSettings`. */
export type ProgramSpec = SettingsSpec & Pick<typeof baseSettings, 'logLevel'>;

/** A service as a program, in a process of its own or in a shared one. */
export interface Program {
  readonly name: string;
  readonly settings: SettingsSpec;
  /**
   * Reads its settings. In a shared process it logs to a file of its own; alone, to standard output. Throws a
   * SettingsError.
   */
  prepare(env: Environment, ownLog?: string): PreparedProgram;
}

/** A program with valid settings. */
export interface PreparedProgram {
  readonly logger: Logger;
  create(): Promise<Service>;
}

/** Makes a program from the function that makes its service. */
export function defineProgram<S extends ProgramSpec>(
  name: string,
  spec: S,
  create: (settings: Values<S>, logger: Logger, isShared: boolean) => Promise<Service>,
): Program {
  return {
    name,
    settings: spec,
    prepare(env, ownLog) {
      const settings = readSettings(spec, env);
      const logger = programLogger(name, spec, settings, env, ownLog);
      return { logger, create: () => create(settings, logger, ownLog !== undefined) };
    },
  };
}

/** The logger of a program. Logs variables that no setting reads. */
export function programLogger(
  service: string,
  spec: SettingsSpec,
  { logLevel: level }: Values<ProgramSpec>,
  env: Environment,
  file?: string,
): Logger {
  const logger = createLogger({ service, level, file });
  const unknown = unknownSettings(spec, env);
  if (unknown.length > 0) logger.warn({ variables: unknown }, 'ignores environment variables that are no settings');
  return logger;
}
