import { isIP } from 'node:net';
import { status } from '@grpc/grpc-js';
import type { Channel } from '../channel.js';
import type { FailedStatus } from '../status.js';
import { type ExchangeStream, openExchange } from './stream.js';

/** The streams of a client: one to each replica of the server. */
export type Exchanges = ReturnType<typeof createExchanges>;

export interface ReplicaStream {
  readonly stream: ExchangeStream;
  /** Counts a call that has ended: a replica that fails nearly all calls gets none for a while. */
  count(hasFailed: boolean): void;
}

/** Time between two searches for replicas without a stream. */
const lookMs = 1_000;
/** How long to call servers that do not support exchanges without them. */
const withoutMs = 60_000;

/**
 * Period in which calls are counted, and the number of calls and the share of failures at which a replica is ejected.
 */
const periodMs = 1_000;
const minCalls = 5;
const maxFailedShare = 0.9;
/** Duration of the first ejection, and by how much each further one is longer. */
const ejectionMs = 2_000;
const maxEjectionMs = 10_000;

interface Replica extends ReplicaStream {
  readonly isEjected: boolean;
}

/**
 * Opens the streams on demand. Each call goes to the replica with the fewest calls, except one that answers pings but
 * fails nearly all calls, for example because it has lost its database: that one gets no calls for two seconds, and for
 * two more each time that it fails again. The others serve meanwhile, so at most one of two or three replicas is
 * ejected (ADR 0035).
 */
export function createExchanges(channel: Channel, address: string) {
  let replicas: Replica[] = [];
  let withoutUntil = 0;
  let looking: NodeJS.Timeout | undefined;
  let hasCalls = false;
  let isClosed = false;
  let first = 0;

  const mayEject = () => {
    const ejected = replicas.filter(({ isEjected }) => isEjected).length;
    return replicas.length > 1 && ejected < Math.max(1, Math.floor(replicas.length * 0.3));
  };
  const add = (stream: ExchangeStream) => {
    const replica = createReplica(stream, mayEject);
    replicas.push(replica);
    return replica;
  };
  const remove = (stream: ExchangeStream, failure?: FailedStatus) => {
    replicas = replicas.filter((replica) => replica.stream !== stream);
    if (failure?.code === status.UNIMPLEMENTED) withoutUntil = performance.now() + withoutMs;
  };
  const begin = () => {
    const stream: ExchangeStream = openExchange(channel, {
      connected: lookForOthers,
      closed: (failure) => remove(stream, failure),
    });
    return add(stream);
  };
  /** Opens streams until one leads to a replica that already has one. */
  const look = () => {
    const stream: ExchangeStream = openExchange(channel, {
      connected(peer) {
        if (isClosed || replicas.some((replica) => replica.stream.peer === peer)) return stream.retire();
        add(stream);
        look();
      },
      closed: (failure) => remove(stream, failure),
    });
  };
  const lookForOthers = () => {
    if (isClosed || hasOneServer(address)) return;
    look();
    looking ??= setInterval(() => {
      if (hasCalls) look();
      hasCalls = false;
    }, lookMs).unref();
  };
  const retireAll = () => {
    for (const { stream } of [...replicas]) stream.retire();
  };
  channel.onRenewal(retireAll);
  return {
    /** The stream for the next call; undefined when the servers have none (an older release). */
    next(): ReplicaStream | undefined {
      if (performance.now() < withoutUntil) return undefined;
      hasCalls = true;
      const usable = replicas.filter(({ isEjected }) => !isEjected);
      if (usable.length === 0) return replicas[0] ?? begin();
      first = (first + 1) % usable.length;
      return usable.reduce(
        (best, replica) => (replica.stream.running < best.stream.running ? replica : best),
        usable[first]!,
      );
    },
    close(): void {
      isClosed = true;
      clearInterval(looking);
      retireAll();
    },
  };
}

/** A socket of this machine, or one IP address: there are no further replicas. */
function hasOneServer(address: string): boolean {
  return (
    address.startsWith('unix:') ||
    (!address.includes(',') && isIP(address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) > 0)
  );
}

function createReplica(stream: ExchangeStream, mayEject: () => boolean): Replica {
  let calls = 0;
  let failed = 0;
  let since = performance.now();
  let ejections = 0;
  let ejectedUntil = 0;

  const judge = () => {
    const isFailing = calls >= minCalls && failed >= calls * maxFailedShare;
    if (isFailing && mayEject()) {
      ejections++;
      ejectedUntil = performance.now() + Math.min(ejections * ejectionMs, maxEjectionMs);
    } else if (!isFailing && ejections > 0) ejections--;
    calls = 0;
    failed = 0;
    since = performance.now();
  };
  return {
    stream,
    get isEjected() {
      return performance.now() < ejectedUntil;
    },
    count(hasFailed) {
      calls++;
      if (hasFailed) failed++;
      if (performance.now() - since >= periodMs) judge();
    },
  };
}
