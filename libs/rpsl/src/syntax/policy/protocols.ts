import type { KeywordRule } from './grammar.js';
import { choice, type Rule } from './rules.js';
import type { Protocol } from './token.js';

const interior = ['OSPF', 'RIP', 'IGRP', 'IS-IS', 'STATIC', 'RIPNG', 'PIM-DM', 'PIM-SM', 'CBT', 'MOSPF'] as const;

/** Protocols of a router peering that takes no options. */
export const simpleProtocols: readonly Protocol[] = [...interior, 'DVMRP'];

/** Protocols of the IPv4 policy attributes. */
export const ipv4Protocols: readonly Protocol[] = ['BGP4', ...interior];

export const componentProtocols: readonly Protocol[] = [...ipv4Protocols, 'DVMRP'];

/** Protocols of the multi-protocol policy attributes and of IPv6 components. */
export const multiProtocols: readonly Protocol[] = [...componentProtocols, 'MPBGP'];

export function anyProtocol(keyword: KeywordRule, protocols: readonly Protocol[]): Rule {
  return choice(...protocols.map(keyword));
}
