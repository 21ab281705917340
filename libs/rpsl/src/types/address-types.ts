import { defineType, type Row } from './model.js';

/** What both kinds of address space have. */
const registration: readonly Row[] = [
  ['netname', 'mandatory', 'single', 'lookup'],
  ['descr', 'optional', 'multiple'],
  ['country', 'mandatory', 'multiple'],
  ['geofeed', 'optional', 'single'],
  ['geoloc', 'optional', 'single'],
  ['prefixlen', 'optional', 'single'],
  ['language', 'optional', 'multiple'],
  ['org', 'conditional', 'single', 'inverse'],
  ['sponsoring-org', 'conditional', 'single', 'inverse'],
  ['admin-c', 'mandatory', 'multiple', 'inverse'],
  ['tech-c', 'mandatory', 'multiple', 'inverse'],
  ['abuse-c', 'optional', 'single', 'inverse'],
  ['status', 'mandatory', 'single'],
  ['assignment-size', 'optional', 'single'],
  ['remarks', 'optional', 'multiple'],
  ['notify', 'optional', 'multiple', 'inverse'],
  ['mnt-by', 'mandatory', 'multiple', 'inverse'],
  ['mnt-lower', 'conditional', 'multiple', 'inverse'],
];

/** Address space and its reverse delegations. */
export const addressTypes = [
  defineType('inetnum', 'in', 5, 'IPv4 address range registration.', [
    ['inetnum', 'mandatory', 'single', 'primary', 'lookup'],
    ...registration,
    ['mnt-domains', 'optional', 'multiple', 'inverse'],
    ['mnt-routes', 'optional', 'multiple', 'inverse'],
    ['mnt-irt', 'optional', 'multiple', 'inverse'],
  ]),
  defineType('inet6num', 'i6', 6, 'IPv6 prefix registration.', [
    ['inet6num', 'mandatory', 'single', 'primary', 'lookup'],
    ...registration,
    ['mnt-routes', 'optional', 'multiple', 'inverse'],
    ['mnt-domains', 'optional', 'multiple', 'inverse'],
    ['mnt-irt', 'optional', 'multiple', 'inverse'],
  ]),
  defineType(
    'domain',
    'dn',
    30,
    'Reverse (in-addr.arpa, ip6.arpa) or ENUM (e164.arpa) delegation with its name servers.',
    [
      ['domain', 'mandatory', 'single', 'primary', 'lookup'],
      ['descr', 'optional', 'multiple'],
      ['org', 'optional', 'multiple', 'inverse'],
      ['admin-c', 'mandatory', 'multiple', 'inverse'],
      ['tech-c', 'mandatory', 'multiple', 'inverse'],
      ['zone-c', 'mandatory', 'multiple', 'inverse'],
      ['nserver', 'mandatory', 'multiple', 'inverse'],
      ['ds-rdata', 'optional', 'multiple', 'inverse'],
      ['remarks', 'optional', 'multiple'],
      ['notify', 'optional', 'multiple', 'inverse'],
      ['mnt-by', 'mandatory', 'multiple', 'inverse'],
    ],
  ),
] as const;
