/** Differences between attributes in their shared productions. */
export interface Dialect {
  readonly prefixes: readonly ('prefix4' | 'prefix6')[];
  /** Address families of routers in peerings and `at` clauses. */
  readonly routers: readonly ('ipv4' | 'ipv6')[];
  readonly nextHops: readonly ('ipv4' | 'ipv6')[];
  /** Where EXCEPT is not a keyword it parses as a DNS label. */
  readonly except: boolean;
  /** Whether pref=, med=, dpa=, cost= and communities accept plain integers. */
  readonly integers: boolean;
}

export const ipv4: Dialect = {
  prefixes: ['prefix4'],
  routers: ['ipv4'],
  nextHops: ['ipv4'],
  except: true,
  integers: true,
};

export const multiProtocol: Dialect = {
  prefixes: ['prefix4', 'prefix6'],
  routers: ['ipv4', 'ipv6'],
  nextHops: ['ipv4', 'ipv6'],
  except: true,
  integers: true,
};
