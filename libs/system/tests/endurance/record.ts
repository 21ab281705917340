import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** One kind of request, by the protocol and what is asked. */
export interface Counts {
  requests: number;
  failed: number;
  /** Failed outside of every fault and of the seconds after it. */
  unexplained: number;
  sumMs: number;
  maxMs: number;
}

/** A fault that was injected, with what clients noticed until shortly after its repair. */
export interface Fault {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly begun: number;
  ended?: number;
  /** What the injection or its repair reported as wrong. */
  error?: string;
  /** Failed requests by kind. */
  readonly failed: Map<string, number>;
  /** Longest time without an answer to a write, and to a read over HTTPS, in milliseconds. */
  writeGapMs: number;
  readGapMs: number;
}

/** All that happened in a run. */
export interface RunRecord {
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly counts: ReadonlyMap<string, Counts>;
  readonly faults: readonly Fault[];
  /** Broken expectations and unexpected errors, with their times; at most `maxNotes`. */
  readonly notes: readonly string[];
  /** Failures that no fault explains, by their reason, with the load averages of the machine then. */
  readonly unexplained: ReadonlyMap<string, readonly number[]>;
  /** Counts a request; what rejects has failed. Never rejects: returns undefined instead. */
  request<T>(kind: string, ask: () => Promise<T>): Promise<T | undefined>;
  /** Injects a fault and repairs it. Never rejects. */
  fault(name: string, inject: () => Promise<void>): Promise<void>;
  note(text: string): void;
}

const requestTimeoutMs = 60_000;
/** Clients may notice a fault until so long after its repair. */
const graceMs = 15_000;
const maxNotes = 500;

export function createRecord(say: (line: string) => void): RunRecord {
  const counts = new Map<string, Counts>();
  const faults: Fault[] = [];
  const notes: string[] = [];
  const unexplained = new Map<string, number[]>();
  const lastAnswer = { write: Date.now(), read: Date.now() };
  const note = (text: string) => {
    const line = `${new Date().toISOString()} ${text}`;
    if (notes.length < maxNotes) notes.push(line);
    say(line);
  };
  const faultAt = (from: number, until: number) => {
    const fault = faults.at(-1);
    const isDuring = fault !== undefined && until >= fault.begun && from <= (fault.ended ?? until) + graceMs;
    return isDuring ? fault : undefined;
  };
  function answered(kind: string, begun: number): void {
    const of = kind.startsWith('REST write') ? 'write' : kind.startsWith('REST') ? 'read' : undefined;
    if (of === undefined) return;
    const fault = faultAt(lastAnswer[of], Date.now());
    const gap = Date.now() - Math.max(lastAnswer[of], fault?.begun ?? begun);
    if (fault !== undefined) {
      const name = of === 'write' ? 'writeGapMs' : 'readGapMs';
      fault[name] = Math.max(fault[name], gap);
    }
    lastAnswer[of] = Date.now();
  }
  return {
    started: Date.now(),
    counts,
    faults,
    notes,
    unexplained,
    async request(kind, ask) {
      const begun = Date.now();
      const count = counts.get(kind) ?? { requests: 0, failed: 0, unexplained: 0, sumMs: 0, maxMs: 0 };
      counts.set(kind, count);
      count.requests++;
      const stopping = new AbortController();
      const late = delay(requestTimeoutMs, undefined, { signal: stopping.signal }).then(
        () => Promise.reject(new Error(`no answer within ${requestTimeoutMs / 1000} s`)),
        () => new Promise<never>(() => {}),
      );
      try {
        const result = await Promise.race([ask(), late]);
        answered(kind, begun);
        return result;
      } catch (error) {
        count.failed++;
        const fault = faultAt(begun, Date.now());
        if (fault === undefined) {
          count.unexplained++;
          const reason = /status \d+|no [a-z ]+|socket hang up|[A-Z]{6,}/.exec(String(error))?.[0] ?? 'other';
          unexplained.set(reason, [...(unexplained.get(reason) ?? []), loadavg()[0]!]);
          say(`${new Date().toISOString()} ${kind} failed without a fault: ${String(error).slice(0, 300)}`);
        } else {
          const number = (fault.failed.get(kind) ?? 0) + 1;
          fault.failed.set(kind, number);
          if (number === 1) say(`${new Date().toISOString()} ${kind} failed: ${String(error).slice(0, 300)}`);
        }
        return undefined;
      } finally {
        stopping.abort();
        const took = Date.now() - begun;
        count.sumMs += took;
        count.maxMs = Math.max(count.maxMs, took);
      }
    },
    async fault(name, inject) {
      const fault: Fault = { name, begun: Date.now(), failed: new Map(), writeGapMs: 0, readGapMs: 0 };
      faults.push(fault);
      say(`${new Date().toISOString()} fault: ${name}`);
      try {
        await inject();
      } catch (error) {
        fault.error = String(error).slice(0, 500);
        note(`the fault "${name}" went wrong: ${String((error as Error).stack ?? error).slice(0, 2_000)}`);
      }
      fault.ended = Date.now();
      const failed = [...fault.failed].map(([kind, number]) => `${number} ${kind}`).join(', ');
      say(`${new Date().toISOString()} repaired: ${name}; failed: ${failed || 'nothing'}`);
    },
    note,
  };
}
