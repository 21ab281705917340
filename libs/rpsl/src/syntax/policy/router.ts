import { integerUpTo, optionalAction } from './action.js';
import { anyProtocol, dnsName } from './expressions.js';
import type { KeywordRule } from './grammar.js';
import { choice, optional, type Rule, sequence, token } from './rules.js';
import { type Protocol, simpleProtocols } from './token.js';

/** IPv4 address of a router with its mask length. */
export function ipv4Interface(keyword: KeywordRule): Rule {
  return interfaceOf(keyword, 'ipv4', 32);
}

/** Address of either family with its mask length, IPv6 optionally with a tunnel. */
export function anyInterface(keyword: KeywordRule): Rule {
  const encapsulation = choice(keyword('GRE'), keyword('IPV6INIPV4'), keyword('IPINIP'), keyword('DVMRP'));
  const tunnel = sequence(keyword('TUNNEL'), token('ipv6'), token(','), encapsulation);
  return choice(ipv4Interface(keyword), sequence(interfaceOf(keyword, 'ipv6', 128), optional(tunnel)));
}

function interfaceOf(keyword: KeywordRule, family: 'ipv4' | 'ipv6', maxLength: number): Rule {
  return sequence(
    token(family),
    keyword('MASKLEN'),
    integerUpTo(maxLength),
    optionalAction(keyword, { nextHops: [family], integers: true }),
  );
}

/** A peering of a router: by a protocol without options, or by BGP with the peer's AS. */
export function peer(keyword: KeywordRule, families: readonly ('ipv4' | 'ipv6')[], bgp: readonly Protocol[]): Rule {
  const target = choice(...families.map(token), dnsName, token('rtr-set'), token('peering-set'));
  return choice(
    sequence(anyProtocol(keyword, simpleProtocols), target),
    sequence(anyProtocol(keyword, bgp), target, bgpOptions(keyword)),
  );
}

function bgpOptions(keyword: KeywordRule): Rule {
  const asn = choice(token('asn'), keyword('PEERAS'));
  const asno = sequence(keyword('ASNO'), token('('), asn, token(')'));
  const damping = sequence(keyword('FLAP_DAMP'), token('('), optional(sixIntegers), token(')'));
  return choice(sequence(asno, optional(sequence(token(','), damping))), sequence(damping, token(','), asno));
}

const furtherInteger = sequence(token(','), integerUpTo(0xffff));
const sixIntegers = sequence(
  integerUpTo(0xffff),
  furtherInteger,
  furtherInteger,
  furtherInteger,
  furtherInteger,
  furtherInteger,
);
