const interior = ['OSPF', 'RIP', 'IGRP', 'IS-IS', 'STATIC', 'RIPNG', 'PIM-DM', 'PIM-SM', 'CBT', 'MOSPF'] as const;

/** Routing protocols that policy can name. */
export type Protocol = (typeof interior)[number] | 'BGP4' | 'MPBGP' | 'DVMRP';

/** Protocols of a router peering that takes no options. */
export const simpleProtocols: readonly Protocol[] = [...interior, 'DVMRP'];

/** Protocols of the IPv4 policy attributes. */
export const ipv4Protocols: readonly Protocol[] = ['BGP4', ...interior];

export const componentProtocols: readonly Protocol[] = [...ipv4Protocols, 'DVMRP'];

/** Protocols of the multi-protocol policy attributes and of IPv6 components. */
export const multiProtocols: readonly Protocol[] = [...componentProtocols, 'MPBGP'];

type ExpressionWord = 'AND' | 'OR' | 'NOT' | 'EXCEPT' | 'REFINE' | 'ANY' | 'PEERAS';
type PolicyWord = 'FROM' | 'TO' | 'AT' | 'ACTION' | 'ACCEPT' | 'ANNOUNCE' | 'NETWORKS' | 'PROTOCOL' | 'INTO';
type FamilyWord = 'AFI' | 'IPV4' | 'IPV6' | 'UNICAST' | 'MULTICAST';
type ActionWord = 'PREF' | 'MED' | 'IGP_COST' | 'DPA' | 'COST' | 'ASPATH' | 'PREPEND' | 'NEXT_HOP' | 'SELF';
type CommunityWord = 'COMMUNITY' | 'APPEND' | 'DELETE' | 'CONTAINS' | 'INTERNET' | 'NO_EXPORT' | 'NO_ADVERTISE';
type AggregationWord = 'ATOMIC' | 'UPON' | 'HAVE-COMPONENTS' | 'EXCLUDE' | 'INBOUND' | 'OUTBOUND';
type RouterWord = 'MASKLEN' | 'TUNNEL' | 'GRE' | 'IPV6INIPV4' | 'IPINIP' | 'ASNO' | 'FLAP_DAMP';

/** Words with a meaning in routing policy, in capitals. The attribute determines which are reserved. */
export type Keyword =
  | Protocol
  | ExpressionWord
  | PolicyWord
  | FamilyWord
  | ActionWord
  | CommunityWord
  | AggregationWord
  | RouterWord;

export type SetKind = 'as-set' | 'route-set' | 'filter-set' | 'peering-set' | 'rtr-set';

type Bracket = '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>';
type Separator = ',' | ';' | '=' | '==' | '.=' | '.';
type PathOperator = '|' | '*' | '?' | '+' | '~*' | '~+' | '^' | '$';

export type PolicySymbol = Bracket | Separator | PathOperator;

type Address = 'ipv4' | 'ipv6' | 'prefix4' | 'prefix6' | 'range-operator';
/** `repeat` is one of the literal texts {INT}, {INT,INT} and {INT,}. */
type Value = 'repeat' | 'asn' | 'as-range' | 'integer' | 'community-number' | 'label';

export type TokenType = Keyword | PolicySymbol | SetKind | Address | Value;

export interface Token {
  readonly type: TokenType;
  /** As written; has the length of the token in the source. */
  readonly text: string;
}

/** The words that the lexer reserves for one attribute; all others may be DNS labels. */
export interface Vocabulary {
  readonly keywords: ReadonlySet<Keyword>;
  readonly routerSets: boolean;
}
