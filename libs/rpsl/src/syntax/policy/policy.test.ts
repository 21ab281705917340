import { describe, expect, test } from 'vitest';
import type { ObjectTypeName } from '../../types.js';
import { checkSyntax } from '../index.js';

interface Cases {
  readonly attribute: string;
  readonly type: ObjectTypeName;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

function accepted({ attribute, type }: Cases, values: readonly string[]): string[] {
  return values.filter((value) => checkSyntax(attribute, type, value));
}

function check(rule: string, cases: Cases): void {
  test(`${cases.attribute}: ${rule}`, () => {
    expect(accepted(cases, cases.valid)).toEqual(cases.valid);
    expect(accepted(cases, cases.invalid)).toEqual([]);
  });
}

describe('lexical rules', () => {
  check('letter case and layout do not count', {
    attribute: 'import',
    type: 'aut-num',
    valid: [
      'FROM as64500 ACCEPT any',
      'from\tAS64500\n accept\r\nANY',
      'from AS64500 action PREF=1;accept{192.0.2.0/24}',
    ],
    invalid: ['fromAS64500 accept ANY', 'from AS64500 acceptANY'],
  });
  check('AS numbers have 32 bits and no leading zero', {
    attribute: 'aggr-bndry',
    type: 'route',
    valid: ['AS0', 'AS4294967295'],
    invalid: ['AS00', 'AS4294967296', 'AS', 'AS1.1', '64500'],
  });
  check('AS sets may be hierarchical and contain PEERAS', {
    attribute: 'aggr-bndry',
    type: 'route',
    valid: ['AS-A:AS64500', 'AS64500:AS-A_B:PeerAS', `AS-${'A'.repeat(100)}`],
    invalid: [
      'AS64500:AS64501',
      'AS-A:',
      ':AS-A',
      'AS-A:RS-B',
      'AS-A_',
      'AS-',
      'AS-A:AS064500',
      'AS-A::AS-B',
      'RTRS-A',
    ],
  });
  check('a prefix range has bounds in order and within the family', {
    attribute: 'mp-filter',
    type: 'filter-set',
    valid: [
      '{192.0.2.0/24^-, 192.0.2.0/24^+, 192.0.2.0/24^0, 192.0.2.0/24^16-32}',
      '{::/0^128, 2001:db8::/32^32-48, 2001:DB8:0:0:0:0:0:1/0}',
      '{192.0.2.1/24, fe80::1/10}',
    ],
    invalid: [
      '{192.0.2.0/24^33}',
      '{192.0.2.0/24^28-25}',
      '{192.0.2.0/24^}',
      '{192.0.2.0/24 ^+}',
      '{192.0.2.0/33}',
      '{192.0.2.0}',
      '{192.0.2/24}',
      '{192.0.2.256/32}',
      '{::/129}',
      '{::/0^129}',
      '{2001:db8::1::/32}',
      '{1:2:3:4:5:6:7/32}',
      '{::ffff:192.0.2.1/128}',
    ],
  });
  check('range operators stay within 32', {
    attribute: 'mp-filter',
    type: 'filter-set',
    valid: ['AS64500^+', 'AS-A^-', 'RS-A^0', 'PeerAS^24-32', '{192.0.2.0/24}^+', 'AS64500 ^24', 'AS64500^24AS64501'],
    invalid: [
      'AS64500^33',
      'AS64500^24-33',
      'AS64500^24-23',
      'AS64500^',
      'ANY^+',
      '(AS64500)^+',
      'FLTR-A^+',
      'AS64500^24^25',
    ],
  });
  check('DNS labels are at most 63 long, names 255', {
    attribute: 'peering',
    type: 'peering-set',
    valid: [`AS64500 ${'a'.repeat(63)}`, `AS64500 ${'abcdefg.'.repeat(31)}abcdefg`, 'AS64500 at r.example.net'],
    invalid: [
      `AS64500 ${'a'.repeat(64)}`,
      `AS64500 ${'abcdefg.'.repeat(31)}abcdefgh`,
      'AS64500 at r-.example.net',
      'AS64500 at r_1.example.net',
      'AS64500 at 1r.example.net',
      'AS64500 at r.example.net.',
      'AS64500 at r..example.net',
    ],
  });
  check('a word that the attribute reserves is not a DNS label', {
    attribute: 'import',
    type: 'aut-num',
    valid: ['from AS64500 at r.example.to accept ANY', 'from AS64500 into-rtr accept ANY'],
    invalid: ['from AS64500 at r.accept.net accept ANY', 'from AS64500 at any accept ANY'],
  });
  check('text that is not a token is refused', {
    attribute: 'filter',
    type: 'filter-set',
    valid: ['ANY'],
    invalid: ['ANY!', 'ANY "', '_ANY', 'ANY\u00a0', 'ANÝ', '-', '~', ':'],
  });
});

describe('peerings', () => {
  check('AS expressions', {
    attribute: 'aggr-bndry',
    type: 'route',
    valid: ['AS1 OR AS2', 'AS1 and AS2 except AS-A or (AS3)', '((AS1))'],
    invalid: ['AS1 AS2', 'AS1 OR', 'OR AS1', '(AS1', 'AS1)', '()', 'NOT AS1', 'AS1 AT r'],
  });
  check('remote and local routers', {
    attribute: 'peering',
    type: 'peering-set',
    valid: [
      'AS1 192.0.2.1',
      'AS1 or AS2 r1 at r2',
      'AS1 (r1 or r2) at (192.0.2.1 and not-r)',
      'AS1 r1 except r2',
      'AS1:PRNG-A',
      'AS1 at RTRS-A',
    ],
    invalid: [
      '',
      'r1',
      'AS1 at',
      'AS1 r1 r2',
      'AS1 at r1 at r2',
      'PRNG-A at r1',
      'PRNG-A or AS1',
      'AS1 2001:db8::1',
      'AS1 at RTRS-A:AS1',
      'AS1 at RTRS_A',
    ],
  });
  check('routers of both families', {
    attribute: 'mp-peering',
    type: 'peering-set',
    valid: ['AS1 2001:db8::1', 'AS1 at 192.0.2.1 or ::1', 'AS1 at fe80::1'],
    invalid: ['AS1 2001:db8::/32', 'AS1 ::1::'],
  });
});

describe('actions', () => {
  const withAction = (action: string) => `from AS1 action ${action} accept ANY`;
  check('every setting ends with a semicolon', {
    attribute: 'import',
    type: 'aut-num',
    valid: [
      'pref=0;',
      'pref = 65535; med=igp_cost; dpa=1; cost=2;',
      'aspath.prepend(AS1, AS1);',
      'community={64500:1, no_export};',
      'community .= {internet};',
      'community == {4294967295};',
      'community.append(64500:1, no_advertise);',
      'community.delete(1); community.contains(65535:65535); community(1);',
      'next_hop=192.0.2.1; next_hop=self;',
    ].map(withAction),
    invalid: [
      '',
      'pref=1',
      'pref=1;;',
      ';',
      'pref=65536;',
      'pref=-1;',
      'pref==1;',
      'pref.=1;',
      'pref=igp_cost;',
      'med=self;',
      'aspath.prepend();',
      'aspath.prepend(AS-A);',
      'aspath.append(AS1);',
      'community=();',
      'community={};',
      'community={64500:65536};',
      'community={4294967296};',
      'community(AS1);',
      'community.prepend(1);',
      'next_hop=2001:db8::1;',
      'next_hop=r1;',
    ].map(withAction),
  });
  check('next hop of both families', {
    attribute: 'mp-import',
    type: 'aut-num',
    valid: ['next_hop=192.0.2.1;', 'next_hop=2001:db8::1;', 'next_hop=SELF;'].map(withAction),
    invalid: ['next_hop=2001:db8::/32;'].map(withAction),
  });
});

describe('filters', () => {
  check('terms', {
    attribute: 'filter',
    type: 'filter-set',
    valid: [
      'NOT NOT ANY',
      'AS1 AS2 or AS3',
      'AS1 and AS2 not AS3',
      '(AS1 or (RS-A and FLTR-B)) AS-C:AS1:PeerAS',
      'PeerAS',
      'pref=10',
      'community.contains(64500:1) or med=5',
      'next_hop=192.0.2.1',
      '{192.0.2.0/24, 198.51.100.0/24^+}',
    ],
    invalid: [
      'NOT',
      'AS1 AND',
      'AS1 AND OR AS2',
      'AS1 EXCEPT AS2',
      '()',
      'PRNG-A',
      'r1',
      '192.0.2.0/24',
      '{192.0.2.0/24,}',
      '{192.0.2.0/24 198.51.100.0/24}',
      'pref=10;',
      'AS1;',
      'AS1 - AS2',
    ],
  });
  check('AS path expressions', {
    attribute: 'filter',
    type: 'filter-set',
    valid: [
      '<AS1>',
      '<^AS1 .* (AS2|PeerAS AS-A)+ [AS3 - AS5 AS7 .]? [^AS1-AS2]~* AS8~+ $>',
      '<[]>',
      '<AS1*+?>',
      '<AS1{INT} AS2{int,INT} AS3{INT,}>',
      '<^ +AS1>',
      'NOT <.>',
    ],
    invalid: [
      '<>',
      '<AS1',
      '<AS1|>',
      '<|AS1>',
      '<*>',
      '<()>',
      '<AS1{2}>',
      '<AS1~{1,3}>',
      '<AS1{,INT}>',
      '<AS1-AS2>',
      '<[AS5-AS1]>',
      '<[AS1>',
      '<[^^]>',
      '<RS-A>',
      '<1>',
      '<AS1~>',
      '<^+>',
    ],
  });
  check('plain integers are refused in multi-protocol filters', {
    attribute: 'mp-filter',
    type: 'filter-set',
    valid: ['community(64500:1)', 'community(internet)', 'med=igp_cost', 'next_hop=2001:db8::1', 'aspath.prepend(AS1)'],
    invalid: ['pref=1', 'med=1', 'dpa=1', 'cost=1', 'community(1)', 'community(64500:1, 1)'],
  });
});

describe('import and export', () => {
  check('peerings, terms and operators', {
    attribute: 'import',
    type: 'aut-num',
    valid: [
      'from AS1 from AS2 at r1 action pref=1; accept ANY',
      'from AS1 accept ANY;',
      '{from AS1 accept ANY; from AS2 accept AS2;}',
      'from AS1 accept ANY; refine from AS2 accept AS2;',
      'from AS1 accept ANY; except {from AS2 accept AS2;} refine from AS3 accept AS3;',
      'protocol BGP4 from AS1 accept ANY',
      'into RIPng from AS1 accept ANY',
      'protocol IS-IS into PIM-SM from AS1 accept ANY',
      'from AS1 except AS2 accept ANY',
      'from AS1:PRNG-A accept ANY',
    ],
    invalid: [
      '',
      'accept ANY',
      'from AS1 action accept ANY',
      'from AS1 accept ANY;;',
      '{from AS1 accept ANY}',
      '{}',
      '{from AS1 accept ANY;};',
      '{{from AS1 accept ANY;}}',
      'from AS1 accept ANY refine from AS2 accept AS2;',
      'from AS1 accept ANY; refine from AS2 accept AS2',
      'from AS1 accept ANY; refine',
      'into OSPF protocol BGP4 from AS1 accept ANY',
      'protocol DVMRP from AS1 accept ANY',
      'protocol MPBGP from AS1 accept ANY',
      'afi ipv4 from AS1 accept ANY',
      'to AS1 announce ANY',
      'from AS1 announce ANY',
      'from AS1 accept {2001:db8::/32}',
      'from AS1 2001:db8::1 accept ANY',
    ],
  });
  check('EXCEPT is not a keyword', {
    attribute: 'export',
    type: 'aut-num',
    valid: [
      'to AS1 announce ANY; refine to AS2 announce AS2;',
      '{to AS1 announce ANY;}',
      'to AS1 at r1 to AS2 announce AS1',
    ],
    invalid: [
      'to AS1 except AS2 announce ANY',
      'to AS1 announce ANY; except to AS2 announce AS2;',
      'to AS1 accept ANY',
    ],
  });
  check('parts in order', {
    attribute: 'default',
    type: 'aut-num',
    valid: ['to AS1', 'to AS1 r1 at r2', 'to AS1 action pref=1; med=2;', 'to AS1 networks {0.0.0.0/0}'],
    invalid: [
      '',
      'to AS1;',
      'to AS1 action pref=1',
      'to AS1 networks',
      'to AS1 to AS2',
      'to AS1 except AS2',
      'to AS1 networks {::/0}',
    ],
  });
});

describe('multi-protocol policy', () => {
  check('address families per term', {
    attribute: 'mp-import',
    type: 'aut-num',
    valid: [
      'afi ipv4.unicast, ipv6.multicast, any from AS1 accept ANY',
      'afi any.unicast {from AS1 accept ANY;} refine afi ipv6 from AS2 accept AS2; except {from AS3 accept {::/0};}',
      'from AS1 accept ANY;',
      'protocol MPBGP into DVMRP afi ipv6 from AS1 at ::1 accept ANY',
    ],
    invalid: [
      'afi from AS1 accept ANY',
      'afi ipv6, from AS1 accept ANY',
      'afi ipv6.anycast from AS1 accept ANY',
      'ipv6 from AS1 accept ANY',
      'afi ipv6',
      'afi ipv6 afi ipv4 from AS1 accept ANY',
      'ipv6,',
      'afi ipv6 protocol BGP4 from AS1 accept ANY',
      '{from AS1 accept ANY;};',
    ],
  });
  check('families with a comma replace an expression', {
    attribute: 'mp-export',
    type: 'aut-num',
    valid: ['ipv6.unicast,', 'ipv4, any,', 'to AS1 announce ANY; refine ipv6,', 'to AS1 except AS2 announce {::/0}'],
    invalid: ['ipv6', ',', 'ipv4 ipv6,', 'ipv6, to AS1 announce ANY'],
  });
  check('no afi any', {
    attribute: 'mp-default',
    type: 'aut-num',
    valid: ['afi ipv4,ipv6.multicast to AS1 at 2001:db8::1 action next_hop=::1; networks {::/0}'],
    invalid: ['afi any to AS1', 'afi any.unicast to AS1', 'afi ipv4,any to AS1', 'to AS1 except AS2'],
  });
  check('peering through another', {
    attribute: 'import-via',
    type: 'aut-num',
    valid: [
      'AS1 at ::1 from AS2 action pref=1; AS3 from AS4 accept ANY',
      'AS1 from AS2 AS3 from AS4 accept ANY',
      'PRNG-A from PRNG-B accept ANY;',
      'AS1 from AS2 at r1 (AS3) from AS4 accept ANY',
      'afi ipv6 {AS1 from AS2 accept ANY;} except AS3 from AS4 accept ANY;',
    ],
    invalid: ['AS1 accept ANY', 'AS1 from AS2', 'AS1 from AS2 from AS3 accept ANY', 'AS1 to AS2 announce ANY', 'ipv6,'],
  });
  check('a parenthesis after a peering opens a router expression', {
    attribute: 'export-via',
    type: 'aut-num',
    valid: ['AS1 to AS2 (r1) AS3 to AS4 announce ANY', 'AS1 to AS2 action pref=1; (AS3) to AS4 announce ANY', 'ipv6,'],
    invalid: ['AS1 to AS2 (AS3) to AS4 announce ANY'],
  });
});

describe('aggregation', () => {
  check('components of route', {
    attribute: 'components',
    type: 'route',
    valid: [
      '',
      'atomic',
      'ANY',
      'atomic protocol DVMRP ANY protocol RIP AS1',
      'AS1 AS2 protocol BGP4 {}',
      'next_hop=self',
    ],
    invalid: ['protocol BGP4', 'protocol MPBGP ANY', 'ANY atomic', 'next_hop=192.0.2.1', '{::/0}'],
  });
  check('components of route6', {
    attribute: 'components',
    type: 'route6',
    valid: ['', 'protocol MPBGP {::/0} protocol DVMRP ANY'],
    invalid: ['next_hop=::1', '{0.0.0.0/0}'],
  });
  check('inject of route', {
    attribute: 'inject',
    type: 'route',
    valid: [
      'at RTRS-A:AS1',
      'at r1 or (192.0.2.1 and RTRS-B)',
      'action pref=1; upon static or (exclude {192.0.2.0/24^+} and have-components {})',
    ],
    invalid: [
      'at',
      'upon',
      'upon static at r1',
      'action pref=1',
      'upon have-components',
      'upon exclude 192.0.2.0/24',
      'at AS1',
      'action next_hop=::1;',
    ],
  });
  check('inject of route6', {
    attribute: 'inject',
    type: 'route6',
    valid: ['at 192.0.2.1 or 2001:db8::1', 'action next_hop=::1; next_hop=192.0.2.1;', 'upon have-components {::/0}'],
    invalid: ['upon exclude {0.0.0.0/0}'],
  });
  check('next hop of route6 is IPv6', {
    attribute: 'export-comps',
    type: 'route6',
    valid: ['next_hop=2001:db8::1', 'AS1^+'],
    invalid: ['next_hop=192.0.2.1', 'atomic', ''],
  });
  check('method', {
    attribute: 'aggr-mtd',
    type: 'route',
    valid: ['outbound', 'OUTBOUND (AS1 or AS-A) except AS2'],
    invalid: ['', 'inbound AS1', 'outbound r1'],
  });
});

describe('routers', () => {
  check('addresses of one family', {
    attribute: 'ifaddr',
    type: 'inet-rtr',
    valid: ['192.0.2.1 MASKLEN 0', '192.0.2.1 masklen 32 action next_hop=192.0.2.2; pref=1;'],
    invalid: [
      '192.0.2.1 masklen',
      '192.0.2.1/24 masklen 24',
      '192.0.2.1 masklen 24 action pref=1',
      '192.0.2.1 masklen 24 tunnel ::1,GRE',
    ],
  });
  check('either family, IPv6 with a tunnel', {
    attribute: 'interface',
    type: 'inet-rtr',
    valid: [
      '192.0.2.1 masklen 24 action next_hop=192.0.2.2;',
      '2001:db8::1 masklen 128 action next_hop=::1; tunnel ::2, IPv6inIPv4',
      '::1 masklen 64 tunnel ::2,IPinIP',
      '::1 masklen 64 tunnel ::2,DVMRP',
    ],
    invalid: [
      '::1 masklen 64 action next_hop=192.0.2.1;',
      '192.0.2.1 masklen 33',
      '::1 masklen 64 tunnel ::2',
      '::1 masklen 64 tunnel ::2,PPP',
    ],
  });
  check('options', {
    attribute: 'peer',
    type: 'inet-rtr',
    valid: [
      'static r1.example.net',
      'DVMRP 192.0.2.1',
      'OSPF AS1:PRNG-A',
      'BGP4 AS1:RTRS-A flap_damp(), asno(AS1)',
      'PIM-DM RTRS-A',
    ],
    invalid: [
      'BGP4 r1 flap_damp()',
      'BGP4 r1 asno(AS1) flap_damp()',
      'BGP4 r1 asno(AS1), flap_damp(1,2,3,4,5)',
      'BGP4 r1 asno(AS1), flap_damp(1,2,3,4,5,65536)',
      'BGP4 r1 asno(AS-A)',
      'BGP4 r1 asno()',
      'OSPF AS-A',
      'OSPF ::1',
      'OSPF',
    ],
  });
  check('both families and MPBGP', {
    attribute: 'mp-peer',
    type: 'inet-rtr',
    valid: ['MPBGP r1 asno(PeerAS), flap_damp(0,0,0,0,0,0)', 'OSPF ::1', 'BGP4 fe80::1 asno(AS1)'],
    invalid: ['MPBGP r1', 'OSPF ::1 asno(AS1)', 'OSPF ::1/64'],
  });
});
