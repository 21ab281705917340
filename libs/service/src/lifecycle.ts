import type { ChildProcess } from 'node:child_process';
import type { Logger } from './logger.js';
import { type Program, type ProgramSpec, programLogger } from './program.js';
import { describeSettings, readSettings, SettingsError, type SettingsSpec, type Values } from './read-settings.js';
import type { Service } from './service.js';

/** The argument of a program that ends with the process that started it. */
export const withParent = '--with-parent';

/**
 * Runs a service until SIGTERM or SIGINT (drains, exits 0; a second signal exits immediately) or, with the argument
 * `withParent`, until the parent process exits (its end of standard input closes). Prints bad settings, one line each,
 * and logs any other failure; both exit 1.
 */
export async function runService(create: () => Promise<Service>, logger: Logger): Promise<void> {
  const requested = stopRequested();
  process.on('unhandledRejection', (reason) => exitWith(logger, reason));
  process.on('uncaughtException', (error) => exitWith(logger, error));
  try {
    const service = await Promise.race([started(create), requested.then(() => undefined)]);
    if (service !== undefined) {
      logger.info({ reason: await requested }, 'stopping');
      await service.stop();
    }
  } catch (error) {
    exitWith(logger, error);
  }
  logger.info('stopped');
  process.exit(0);
}

async function started(create: () => Promise<Service>): Promise<Service> {
  const service = await create();
  await service.start();
  return service;
}

/** Resolves with the reason of the first request to stop; the second request exits the process. */
function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    let requested = false;
    const ask = (reason: string) => {
      if (requested) process.exit(1);
      requested = true;
      resolve(reason);
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
    if (!process.argv.includes(withParent)) return;
    // Losing the parent is no second request: the parent may have sent a signal just before.
    const orphaned = () => requested || ask('parent process gone');
    process.stdin.on('end', orphaned).on('error', orphaned).resume();
  });
}

/** Resolves when a process has ended, with how: a predicate for messages, such as `was killed (SIGKILL)`. */
export function endOfProcess(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was killed (${signal})` : `ended with exit code ${code}`));
  });
}

function exitWith(logger: Logger, error: unknown): never {
  if (error instanceof SettingsError) printProblems(error);
  else logger.fatal({ err: error }, 'failed');
  process.exit(1);
}

function printProblems(error: SettingsError): void {
  for (const problem of error.problems) process.stderr.write(`${problem}\n`);
}

/** A command that a program runs instead of its service, for example `migrate`, and the settings that it needs. */
interface Command<S extends ProgramSpec> {
  readonly settings: S;
  run(settings: Values<S>, logger: Logger): Promise<void>;
}

/**
 * The main function of a program: `--help` prints the settings; bad settings print one line each and exit 1; unknown
 * settings are logged; a command as first argument runs and exits; otherwise the service runs.
 */
export async function runMain<C extends ProgramSpec>(
  program: Program,
  commands: Record<string, Command<C>> = {},
): Promise<void> {
  const { name, settings } = program;
  const word = process.argv.slice(2).find((one) => one !== withParent);
  if (word === '--help') return printHelp(name, settings, Object.keys(commands));
  if (word === undefined) {
    const { logger, create } = orExit(() => program.prepare(process.env));
    return runService(create, logger);
  }
  if (!Object.hasOwn(commands, word)) {
    process.stderr.write(`unknown command "${word}"; see --help\n`);
    process.exit(1);
  }
  const command = commands[word]!;
  const values = orExit(() => readSettings(command.settings));
  const logger = programLogger(name, settings, values, process.env);
  await command.run(values, logger).catch((error) => exitWith(logger, error));
}

function printHelp(name: string, spec: SettingsSpec, commands: string[]): void {
  const others = commands.length > 0 ? `commands: ${commands.join(', ')}; without a command, the service runs\n\n` : '';
  process.stdout.write(`cadastre ${name}\n\n${others}settings, read from the environment:\n\n`);
  process.stdout.write(`${describeSettings(spec)}\n`);
}

function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    printProblems(error);
    process.exit(1);
  }
}
