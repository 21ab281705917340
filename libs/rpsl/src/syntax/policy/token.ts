/** Routing protocols that policy can name. */
export type Protocol =
  | 'BGP4'
  | 'OSPF'
  | 'RIP'
  | 'IGRP'
  | 'IS-IS'
  | 'STATIC'
  | 'RIPNG'
  | 'PIM-DM'
  | 'PIM-SM'
  | 'CBT'
  | 'MOSPF'
  | 'DVMRP'
  | 'MPBGP';

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

export type PolicySymbol =
  | '('
  | ')'
  | '{'
  | '}'
  | '['
  | ']'
  | '<'
  | '>'
  | ','
  | ';'
  | '='
  | '=='
  | '.='
  | '.'
  | '|'
  | '*'
  | '?'
  | '+'
  | '~*'
  | '~+'
  | '^'
  | '$';

/** `repeat` is one of the literal texts {INT}, {INT,INT} and {INT,}. */
export type TokenType =
  | Keyword
  | PolicySymbol
  | SetKind
  | 'repeat'
  | 'asn'
  | 'as-range'
  | 'ipv4'
  | 'ipv6'
  | 'prefix4'
  | 'prefix6'
  | 'range-operator'
  | 'integer'
  | 'community-number'
  | 'label';

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
