import {
  type CallFailure,
  type ExchangedCall,
  type ExchangeRequest,
  type ExchangeResponse,
  ExchangeServiceService,
} from '@cadastre/proto/exchange';
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import type { Channel } from '../channel.js';
import type { FailedStatus } from '../status.js';
import { detailsKey } from '../status-details.js';
import { createOutbox } from './outbox.js';

/** Receives the answer of a call. */
export interface Listener {
  /** A part of a message arrived; `isWhole`: the last one. */
  part(bytes: Buffer, isWhole: boolean): void;
  /** The call has ended. */
  end(outcome: Outcome): void;
}

/**
 * How a call ended: well, or with the status of a failure, or it reached no handler: because the server stops
 * ('not-handled') or because the method needs a call of its own ('needs-own-call').
 */
export type Outcome = 'ok' | 'not-handled' | 'needs-own-call' | FailedStatus;

export interface BegunCall {
  /** Reports to the server how many bytes of the answer were read. */
  take(bytes: number): void;
  /** Cancels the call; its listener gets nothing more. Returns whether the call was still running. */
  cancel(): boolean;
  /** Cancels the call without a message to the server, which ends it at its deadline. */
  leave(): boolean;
}

/** A stream to one server that carries calls. */
export type ExchangeStream = ReturnType<typeof openExchange>;

interface StreamListener {
  /** The server has answered: its address is known. */
  connected(peer: string): void;
  /** The stream accepts no more calls; `failure` when it broke. */
  closed(failure?: FailedStatus): void;
}

const { path, requestSerialize, responseDeserialize } = ExchangeServiceService.exchange;

/** Opens a stream. Calls may begin immediately: they wait for the connection. */
export function openExchange(channel: Channel, owner: StreamListener) {
  const stream = channel.begin((client) =>
    client.makeBidiStreamRequest<ExchangeRequest, ExchangeResponse>(
      path,
      requestSerialize,
      responseDeserialize,
      new Metadata(),
    ),
  );
  const calls = new Map<number, Listener>();
  const outbox = createOutbox<ExchangeRequest>(stream, () => ({ calls: [], cancelled: [], taken: [] }));
  let peer: string | undefined;
  let isOpen = true;
  let last = 0;
  let ended: FailedStatus | undefined;

  const close = (failure?: FailedStatus) => {
    if (!isOpen) return;
    isOpen = false;
    owner.closed(failure);
  };
  const endIfUnused = () => {
    if (!isOpen && calls.size === 0) outbox.end();
  };
  const retire = () => {
    close();
    endIfUnused();
  };
  const end = (number: number, outcome: Outcome) => {
    const listener = calls.get(number);
    calls.delete(number);
    listener?.end(outcome);
    endIfUnused();
  };
  stream.on('metadata', () => {
    peer = stream.getPeer();
    owner.connected(peer);
  });
  stream.on('data', ({ parts, draining }: ExchangeResponse) => {
    for (const { number, message, continues, ended, failure } of parts) {
      if (message !== undefined) calls.get(number)?.part(message, !continues);
      if (ended) end(number, failure === undefined ? 'ok' : outcomeOf(failure));
    }
    if (draining) retire();
  });
  stream.on('status', (status: StatusObject) => {
    ended = status;
  });
  stream.on('error', () => {});
  // After the last message.
  stream.on('end', () => {
    const failure = ended === undefined || ended.code === status.OK ? undefined : ended;
    // A server without exchanges has seen no call.
    const outcome = failure === undefined || failure.code === status.UNIMPLEMENTED ? 'not-handled' : failure;
    close(failure);
    outbox.close();
    for (const number of [...calls.keys()]) end(number, outcome);
  });
  return {
    /** The address of the server; undefined before its first message. */
    get peer(): string | undefined {
      return peer;
    },
    get running(): number {
      return calls.size;
    },
    begin(call: Omit<ExchangedCall, 'number'>, listener: Listener): BegunCall {
      const number = ++last;
      calls.set(number, listener);
      outbox.message(call.request.length + 100).calls.push({ number, ...call });
      return {
        take: (bytes) => void outbox.message(10).taken.push({ number, bytes }),
        cancel() {
          if (!calls.delete(number)) return false;
          outbox.message(5).cancelled.push(number);
          endIfUnused();
          return true;
        },
        leave() {
          if (!calls.delete(number)) return false;
          endIfUnused();
          return true;
        },
      };
    },
    /** Accepts no more calls, and ends after the last one. */
    retire,
  };
}

function outcomeOf({ code, text, details, unseen }: CallFailure): Outcome {
  if (unseen) return code === status.UNIMPLEMENTED ? 'needs-own-call' : 'not-handled';
  const metadata = new Metadata();
  if (details.length > 0) metadata.set(detailsKey, details);
  return { code, details: text, metadata };
}
