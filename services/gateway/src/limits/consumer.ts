import { formatIpv6, parseIpv6 } from '@cadastre/rpsl';
import type { Count } from './count.js';
import type { LimitName, LimitValues } from './limit-policy.js';
import { withoutZone } from './networks.js';

/** Who is charged: an IPv4 address, an IPv6 /64, or an account. */
export interface Consumer {
  /** Unique among all consumers. */
  readonly id: string;
  /** As it is told: the address of the client, or the account's name. */
  readonly shown: string;
  readonly limits: LimitValues;
  /** Why the operator has blocked it; absent when that is not so. */
  readonly block: OperatorBlock | undefined;
  readonly usage: Usage;
}

/** A block that the operator has set. */
export interface OperatorBlock {
  /** Milliseconds since 1970; absent when it has no end. */
  readonly until: number | undefined;
}

/** What a consumer has used. All addresses of an IPv6 /64 have theirs in common. */
export interface Usage {
  /** Names what this gateway counts for the consumer (see `Count`). */
  readonly part: number;
  /** Counts of the present windows. */
  readonly windows: Map<LimitName | 'refusals', WindowCount>;
  /** Milliseconds since 1970 until which the consumer is blocked for keeping on; absent when it never was. */
  block: Count | undefined;
  /** Requests that are being worked on here. */
  running: number;
  /** The second in which it was last refused. */
  refusedIn: number;
  /** When the counts that other gateways may have changed were last asked for. */
  refreshed: number;
}

/** A count that begins again with each window. */
export interface WindowCount extends Count {
  readonly window: number;
}

/** What a consumer has used before it did anything. */
export function newUsage(part: number): Usage {
  return { part, windows: new Map(), block: undefined, running: 0, refusedIn: 0, refreshed: 0 };
}

/** The consumer that an address belongs to. */
export function consumerIdOf(address: string): string {
  if (!address.includes(':')) return address;
  const bits = parseIpv6(withoutZone(address));
  return bits === undefined ? address : `${formatIpv6((bits >> 64n) << 64n)}/64`;
}
