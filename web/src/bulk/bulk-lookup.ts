import type { ResourceDescription } from '@cadastre/client';
import type { Message } from '../api/message.js';
import { messagesOf, RequestFailed } from '../api/registry.js';
import type { FoundResource, FoundResources } from './find-resources.js';

/** A found resource and what the registry knows about it. */
export interface BulkRow extends FoundResource {
  /** Absent before the registry has answered. */
  readonly answer?: ResourceDescription;
}

export interface BulkState {
  readonly phase: 'empty' | 'running' | 'waiting' | 'stopped' | 'failed' | 'done';
  readonly rows: readonly BulkRow[];
  /** Whether resources beyond the maximum were omitted. */
  readonly isCut: boolean;
  /** The number of requested resources, and of answered ones. */
  readonly requested: number;
  readonly answered: number;
  /** Seconds until it resumes, because the client has used up its limit. */
  readonly waitSeconds: number;
  readonly messages: readonly Message[];
}

/** Looks up some resources: yields their descriptions in order. Throws a RequestFailed. */
export type AskResources = (
  resources: readonly string[],
  signal: AbortSignal,
) => AsyncIterable<readonly ResourceDescription[]>;

/** A lookup of many resources, which continues while the user visits other pages. */
export type BulkLookup = ReturnType<typeof createBulkLookup>;

interface BulkOptions {
  readonly ask: AskResources;
  /** Waits; ends early when the signal is aborted. */
  readonly pause: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** Resources of one call of `ask`. */
  readonly size: number;
}

const empty: BulkState = {
  phase: 'empty',
  rows: [],
  isCut: false,
  requested: 0,
  answered: 0,
  waitSeconds: 0,
  messages: [],
};

/** Makes a lookup that has not started. */
export function createBulkLookup(options: BulkOptions) {
  const listeners = new Set<() => void>();
  let state = empty;
  let running = new AbortController();
  const set = (next: Partial<BulkState>) => {
    state = { ...state, ...next };
    for (const changed of listeners) changed();
  };
  const begin = (): AbortSignal => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };

  const work = (signal: AbortSignal) => lookUpOpen(state.rows, options, set, signal);

  return {
    state: () => state,
    /** Calls back after each change, until the returned function is called. */
    subscribe(changed: () => void) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    /** Discards the last lookup and starts another one. */
    start({ resources, isCut }: FoundResources) {
      state = { ...empty, rows: resources, isCut };
      return work(begin());
    },
    stop() {
      running.abort();
      set({ phase: 'stopped', waitSeconds: 0 });
    },
    /** Requests the resources without an answer, or with an error as answer. */
    resume: () => work(begin()),
    clear() {
      running.abort();
      set(empty);
    },
  };
}

/** Requests the open rows, and reports each new state; ends early when the signal is aborted. */
async function lookUpOpen(
  begun: readonly BulkRow[],
  { ask, pause, size }: BulkOptions,
  set: (next: Partial<BulkState>) => void,
  signal: AbortSignal,
): Promise<void> {
  // Copied for each new state, so that states do not change.
  const rows = [...begun];
  const open = rows.flatMap((row, at) => (isOpen(row) ? [at] : []));
  const requested = rows.length;
  set({ phase: 'running', requested, answered: requested - open.length, messages: [] });
  while (open.length > 0 && !signal.aborted) {
    const batch = open.slice(0, size);
    try {
      const texts = batch.map((at) => rows[at]!.text);
      for await (const answers of ask(texts, signal)) {
        if (signal.aborted) return;
        for (const answer of answers) {
          const at = open.shift()!;
          rows[at] = { ...rows[at]!, answer };
        }
        set({ rows: [...rows], answered: requested - open.length });
      }
    } catch (error) {
      if (signal.aborted) return;
      const waitSeconds = secondsToWait(error);
      if (waitSeconds === 0) return set({ phase: 'failed', messages: messagesOf(error) });
      set({ phase: 'waiting', waitSeconds });
      await pause(waitSeconds, signal);
      if (signal.aborted) return;
      set({ phase: 'running', waitSeconds: 0 });
    }
  }
  if (!signal.aborted) set({ phase: 'done' });
}

/** Whether a row has no answer, or an error as answer. */
export function isOpen({ answer }: BulkRow): boolean {
  return answer === undefined || answer.error !== undefined;
}

/** How long a limit makes the client wait; 0 for other failures. */
function secondsToWait(error: unknown): number {
  return error instanceof RequestFailed && error.status === 429 ? error.retryAfterSeconds : 0;
}
