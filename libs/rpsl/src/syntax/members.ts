import { isAddressPrefixRange, isAsNumber, isIpv4Address, isIpv4PrefixRange, isIpv6 } from './addresses.js';
import { anyOf, anything, type Checker, variants } from './checker.js';
import { dnsSyntaxes } from './dns.js';
import { isRangeOperator } from './range-operator.js';
import { setSyntaxes } from './sets.js';

const maxPrefixLength = 128;

/** A route set, optionally with a range operator for its prefixes. */
const rangedRouteSet: Checker = (value, type) => {
  const caret = value.indexOf('^');
  if (caret < 0) return setSyntaxes['route-set'](value, type);
  return setSyntaxes['route-set'](value.slice(0, caret), type) && isRangeOperator(value.slice(caret), maxPrefixLength);
};

const asMember = anyOf(isAsNumber, setSyntaxes['as-set']);
const routeMember = anyOf(asMember, rangedRouteSet);
const routerMember = anyOf(dnsSyntaxes['inet-rtr'], setSyntaxes['rtr-set'], isIpv4Address);

/** Members of sets, and sets that an object claims to belong to. */
export const memberSyntaxes = {
  'mbrs-by-ref': anything,
  'member-of': variants({
    'aut-num': setSyntaxes['as-set'],
    route: setSyntaxes['route-set'],
    route6: setSyntaxes['route-set'],
    'inet-rtr': setSyntaxes['rtr-set'],
  }),
  members: variants({
    'as-set': asMember,
    'route-set': anyOf(routeMember, isIpv4PrefixRange),
    'rtr-set': routerMember,
  }),
  'mp-members': variants({
    'route-set': anyOf(routeMember, isAddressPrefixRange),
    'rtr-set': anyOf(routerMember, isIpv6),
  }),
} satisfies Record<string, Checker>;
