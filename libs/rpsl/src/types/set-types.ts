import { defineType, type Row } from './model.js';

/** The last attributes of each. */
const common: readonly Row[] = [
  ['remarks', 'optional', 'multiple'],
  ['org', 'optional', 'multiple', 'inverse'],
  ['tech-c', 'mandatory', 'multiple', 'inverse'],
  ['admin-c', 'mandatory', 'multiple', 'inverse'],
  ['notify', 'optional', 'multiple', 'inverse'],
  ['mnt-by', 'mandatory', 'multiple', 'inverse'],
  ['mnt-lower', 'optional', 'multiple', 'inverse'],
];

/** Sets of ASes, routes, routers, filters and peerings. */
export const setTypes = [
  defineType('as-set', 'as', 9, 'Named set of AS numbers and other as-sets.', [
    ['as-set', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['members', 'optional', 'multiple'],
    ['mbrs-by-ref', 'optional', 'multiple', 'inverse'],
    ...common,
  ]),
  defineType('route-set', 'rs', 12, 'Named set of prefixes and other route-sets.', [
    ['route-set', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['members', 'optional', 'multiple'],
    ['mp-members', 'optional', 'multiple'],
    ['mbrs-by-ref', 'optional', 'multiple', 'inverse'],
    ...common,
  ]),
  defineType('filter-set', 'fs', 21, 'Named route filter usable inside policy expressions.', [
    ['filter-set', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['filter', 'conditional', 'single'],
    ['mp-filter', 'conditional', 'single'],
    ...common,
  ]),
  defineType('peering-set', 'ps', 22, 'Named set of peerings usable inside policy expressions.', [
    ['peering-set', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['peering', 'conditional', 'multiple'],
    ['mp-peering', 'conditional', 'multiple'],
    ...common,
  ]),
  defineType('rtr-set', 'is', 23, 'Named set of routers.', [
    ['rtr-set', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['members', 'optional', 'multiple'],
    ['mp-members', 'optional', 'multiple'],
    ['mbrs-by-ref', 'optional', 'multiple', 'inverse'],
    ...common,
  ]),
] as const;
