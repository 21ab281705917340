import { type Checker, variants } from '../checker.js';
import { aggregationMethod, components, inject } from './aggregation.js';
import { type Dialect, ipv4, multiProtocol } from './dialect.js';
import { afiClause, asExpression, peering } from './expressions.js';
import { filter } from './filter.js';
import { grammar } from './grammar.js';
import { anyInterface, ipv4Interface, peer } from './router.js';
import {
  defaultPolicy,
  factor,
  inward,
  ipv4Policy,
  multiProtocolPolicy,
  outward,
  viaFactor,
} from './routing-policy.js';
import { optional, sequence } from './rules.js';
import { componentProtocols, multiProtocols } from './token.js';

const withoutExcept = (dialect: Dialect): Dialect => ({ ...dialect, except: false });
const ipv6Only: Dialect = { ...multiProtocol, prefixes: ['prefix6'], nextHops: ['ipv6'] };

const routingPolicy = {
  import: grammar((k) => ipv4Policy(k, factor(k, inward, ipv4), ['REFINE', 'EXCEPT'])),
  export: grammar((k) => ipv4Policy(k, factor(k, outward, withoutExcept(ipv4)), ['REFINE'])),
  default: grammar((k) => defaultPolicy(k, withoutExcept(ipv4))),
  'mp-import': grammar((k) => multiProtocolPolicy(k, factor(k, inward, multiProtocol), { danglingFamilies: false })),
  'mp-export': grammar((k) => multiProtocolPolicy(k, factor(k, outward, multiProtocol), { danglingFamilies: true })),
  'mp-default': grammar((k) =>
    sequence(optional(afiClause(k, { any: false })), defaultPolicy(k, withoutExcept(multiProtocol))),
  ),
  'import-via': grammar((k) =>
    multiProtocolPolicy(k, viaFactor(k, inward, multiProtocol), { danglingFamilies: false }),
  ),
  'export-via': grammar((k) =>
    multiProtocolPolicy(k, viaFactor(k, outward, multiProtocol), { danglingFamilies: true }),
  ),
} satisfies Record<string, Checker>;

const setContents = {
  filter: grammar((k) => filter(k, ipv4)),
  'mp-filter': grammar((k) => filter(k, { ...multiProtocol, integers: false })),
  peering: grammar((k) => peering(k, ipv4)),
  'mp-peering': grammar((k) => peering(k, multiProtocol)),
} satisfies Record<string, Checker>;

const aggregation = {
  'aggr-bndry': grammar((k) => asExpression(k, { except: true })),
  'aggr-mtd': grammar(aggregationMethod),
  components: variants({
    route: grammar((k) => components(k, { ...ipv4, nextHops: [] }, componentProtocols)),
    route6: grammar((k) => components(k, { ...ipv6Only, nextHops: [] }, multiProtocols)),
  }),
  inject: variants({
    route: grammar((k) => inject(k, ipv4), true),
    route6: grammar((k) => inject(k, { ...multiProtocol, prefixes: ['prefix6'] }), true),
  }),
  'export-comps': variants({
    route: grammar((k) => filter(k, ipv4)),
    route6: grammar((k) => filter(k, ipv6Only)),
  }),
} satisfies Record<string, Checker>;

const routers = {
  ifaddr: grammar(ipv4Interface),
  interface: grammar(anyInterface),
  peer: grammar((k) => peer(k, ['ipv4'], ['BGP4']), true),
  'mp-peer': grammar((k) => peer(k, ['ipv4', 'ipv6'], ['BGP4', 'MPBGP']), true),
} satisfies Record<string, Checker>;

export const policySyntaxes = { ...routingPolicy, ...setContents, ...aggregation, ...routers };
