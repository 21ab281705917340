import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandFailure } from './failure.js';
import type { Io } from './io.js';

/** gRPC addresses of the services: `host:port` or `unix:/path`. */
export interface Addresses {
  objects: string;
  auth: string;
  /** Absent when only objects and auth are set. */
  search: string | undefined;
  /** Replicas of search, ready or not; absent if `search` also reaches these. */
  searchAny: string | undefined;
  /** Absent if no mirror service runs, or its address is not set. */
  mirror: string | undefined;
  /** Absent if its address is not set. */
  events: string | undefined;
  /** Whether `make run` on this machine started them. */
  local: boolean;
}

/**
 * Finds the registry: by CADASTRE_OBJECTS_ADDRESS and its siblings if one of them is set, otherwise the system of
 * `make run` with its data in CADASTRE_DATA_DIR (default: .data of the current folder).
 */
export function findAddresses(env: Io['env']): Addresses {
  const services = ['OBJECTS', 'AUTH', 'SEARCH', 'MIRROR', 'EVENTS'];
  return services.some((name) => env[`CADASTRE_${name}_ADDRESS`]) ? namedAddresses(env) : localAddresses(env);
}

function namedAddresses(env: Io['env']): Addresses {
  return {
    objects: env.CADASTRE_OBJECTS_ADDRESS ?? '',
    auth: env.CADASTRE_AUTH_ADDRESS ?? '',
    search: env.CADASTRE_SEARCH_ADDRESS || undefined,
    searchAny: env.CADASTRE_SEARCH_ANY_ADDRESS || undefined,
    mirror: env.CADASTRE_MIRROR_ADDRESS || undefined,
    events: env.CADASTRE_EVENTS_ADDRESS || undefined,
    local: false,
  };
}

function localAddresses(env: Io['env']): Addresses {
  const directory = resolve(env.CADASTRE_DATA_DIR || '.data');
  const run = readRunFile(join(directory, 'run.json'));
  if (run === undefined || !isAlive(run.pid)) {
    throw new CommandFailure(
      `No registry is running in ${directory}. Start one with "make run", or name another by ` +
        'CADASTRE_OBJECTS_ADDRESS, CADASTRE_AUTH_ADDRESS and CADASTRE_SEARCH_ADDRESS (host:port).',
    );
  }
  const { objects, auth, search, mirror, events } = run;
  return { objects, auth, search, searchAny: undefined, mirror, events, local: true };
}

interface RunFile {
  pid: number;
  objects: string;
  auth: string;
  search: string;
  mirror?: string;
  events?: string;
}

/** Reads the run.json of a running system; `undefined` when there is no such file or it has another form. */
function readRunFile(file: string): RunFile | undefined {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunFile>;
    const complete = typeof run.pid === 'number' && run.objects && run.auth && run.search;
    return complete ? (run as RunFile) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw new CommandFailure(`${file}: permission denied (the registry was started by another user)`);
    }
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
