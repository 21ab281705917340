import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/**
 * Maximum bytes of bodies, as sent and inflated, in this process at a time. Text, objects and messages derived from
 * them need several times as much; a gateway with 768 MiB has enough memory for that.
 */
export const bodyBudgetBytes = 64 * 1024 * 1024;

/**
 * Largest object, as sent, of a write without credentials: enough for a response with the mntners that could authorise
 * it.
 */
export const anonymousObjectBytes = 64 * 1024;

/** Largest body without credentials: signed text of 64 kB may be three times as long in a form. */
export const anonymousBodyBytes = 3 * 64 * 1024;

/** The part of the budget for the body of one request. */
export interface BodyAllowance {
  /** Largest body in bytes, as sent and when it is inflated. */
  readonly max: number;
  /** Reserves bytes of the budget. Throws an HttpError (503) when the budget or the client's part of it is used up. */
  take(bytes: number): void;
  /** The bytes that are reserved at present. */
  taken(): number;
  /** Releases bytes that were not needed. */
  giveBack(bytes: number): void;
  /** Releases everything: the request is over, or its body was refused. */
  end(): void;
}

/** Limits the bodies of all requests together; one client gets half of the budget. */
export interface BodyBudget {
  /** An allowance for a body of at most `max` bytes; `client` identifies its sender. */
  open(client: string, max: number): BodyAllowance;
}

/** Makes the budget. */
export function createBodyBudget(bytes: number, metrics: Metrics): BodyBudget {
  const takenBy = new Map<string, number>();
  let taken = 0;
  const refusals = registerMetrics(metrics, () => taken);
  const change = (client: string, by: number) => {
    taken += by;
    const held = (takenBy.get(client) ?? 0) + by;
    if (held === 0) takenBy.delete(client);
    else takenBy.set(client, held);
  };
  return {
    open(client, max) {
      let own = 0;
      const giveBack = (given: number) => {
        own -= given;
        change(client, -given);
      };
      return {
        max,
        take(wanted) {
          if (taken + wanted > bytes || (takenBy.get(client) ?? 0) + wanted > bytes / 2) {
            refusals.inc();
            throw new HttpError(503, messages.overloaded(), { 'retry-after': '2', connection: 'close' });
          }
          own += wanted;
          change(client, wanted);
        },
        taken: () => own,
        giveBack,
        end: () => giveBack(own),
      };
    },
  };
}

function registerMetrics(metrics: Metrics, taken: () => number): Counter {
  new Gauge({
    name: 'cadastre_http_body_bytes',
    help: 'Bytes of request bodies in memory, as sent and inflated.',
    registers: [metrics],
    collect() {
      this.set(taken());
    },
  });
  return new Counter({
    name: 'cadastre_http_body_refusals_total',
    help: 'Request bodies refused because too many bytes of bodies were in memory.',
    registers: [metrics],
  });
}
