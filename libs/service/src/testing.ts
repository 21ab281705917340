import { inject } from 'vitest';
import type { Logger } from './logger.js';
import { createLogger } from './logger.js';
import type { Handlers, RpcClient, ServiceDefinition } from './rpc/types.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL server that vitest's globalSetup started. */
    postgresUrl: string;
  }
}

/** A client that runs the real handlers without a socket, with the same mapping of errors. */
export function inMemoryClient<D extends ServiceDefinition>(
  _definition: D,
  _handlers: Handlers<D>,
): RpcClient<D> & { close(): void } {
  throw new Error('not written yet');
}

/** A fresh, migrated database for one test file. */
export async function testDatabase(_migrations: URL): Promise<{ url: string; drop(): Promise<void> }> {
  throw new Error(`not written yet for ${inject('postgresUrl')}`);
}

/** A logger that says nothing. */
export function testLogger(): Logger {
  return createLogger({ service: 'test', level: 'silent' });
}

/** A clock that stands still until it is moved. */
export interface FixedClock {
  /** The time it shows. */
  now(): Date;
  /** Moves it forward. */
  advance(ms: number): void;
  /** Sets it. */
  set(time: Date | string): void;
}

/** Makes a clock that shows `start`. */
export function fixedClock(start: Date | string): FixedClock {
  let time = new Date(start);
  return {
    now: () => new Date(time),
    advance: (ms) => {
      time = new Date(time.getTime() + ms);
    },
    set: (next) => {
      time = new Date(next);
    },
  };
}
