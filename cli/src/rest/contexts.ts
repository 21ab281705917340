import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure } from '../failure.js';
import type { Io } from '../io.js';

/** A registry that `cadastre login` has stored. */
export interface RegistryContext {
  /** URL of its REST interface, without a final slash. */
  readonly url: string;
  /** The source of commands without `--source`. */
  readonly source: string;
  /** All its sources. */
  readonly sources: readonly string[];
  /** Credential of an API key; without one, commands only read. */
  readonly apiKey?: string;
  /** Certificates (PEM) that verify the registry, besides those of the system. */
  readonly ca?: string;
}

/** All stored registries, by name. */
export interface Contexts {
  readonly current?: string;
  readonly contexts: Readonly<Record<string, RegistryContext>>;
}

/** The file that has them. */
export function contextsFile({ env }: Pick<Io, 'env'>): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'cadastre', 'contexts.json');
}

/** Reads them; none without a file. Throws a CommandFailure when the file is damaged. */
export function readContexts(io: Pick<Io, 'env'>): Contexts {
  const file = contextsFile(io);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandFailure(`${file} is damaged: delete it, and log in again`);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw error;
  }
}

/** Stores them, readable for this user only. */
export async function writeContexts(io: Pick<Io, 'env'>, contexts: Contexts): Promise<void> {
  const file = contextsFile(io);
  const unfinished = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(unfinished, `${JSON.stringify(contexts, undefined, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

/** The registry of a command. Throws a CommandFailure when there is none with the name, or no current one. */
export function contextOf(io: Pick<Io, 'env'>, name: string | undefined): RegistryContext {
  const { current, contexts } = readContexts(io);
  const chosen = name ?? current;
  if (chosen === undefined) throw new CommandFailure('No registry: run "cadastre login URL" first');
  const context = Object.hasOwn(contexts, chosen) ? contexts[chosen] : undefined;
  if (context === undefined) throw new CommandFailure(`No registry "${chosen}": see "cadastre context list"`);
  return context;
}

/** The stored registries and which one is current, for lists. */
export function listContexts(io: Pick<Io, 'env'>) {
  const { current, contexts } = readContexts(io);
  return Object.entries(contexts).map(([name, { url, source, apiKey }]) => ({
    name,
    current: name === current,
    url,
    source,
    credential: apiKey !== undefined,
  }));
}
