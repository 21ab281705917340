import type { ObjectTypeName } from '@cadastre/rpsl';

/** The numbers of the types in the database. Never change or reuse a number. */
export const typeCodes = {
  inetnum: 1,
  inet6num: 2,
  'as-block': 3,
  'aut-num': 4,
  'as-set': 5,
  route: 6,
  route6: 7,
  'route-set': 8,
  'inet-rtr': 9,
  'filter-set': 10,
  'peering-set': 11,
  'rtr-set': 12,
  domain: 13,
  'poetic-form': 14,
  poem: 15,
  mntner: 16,
  irt: 17,
  'key-cert': 18,
  organisation: 19,
  role: 20,
  person: 21,
} as const satisfies Record<ObjectTypeName, number>;

const typesByCode = new Map<number, ObjectTypeName>(
  Object.entries(typeCodes).map(([name, code]) => [code, name as ObjectTypeName]),
);

export function typeOfCode(code: number): ObjectTypeName {
  const type = typesByCode.get(code);
  if (type === undefined) throw new Error(`no object type has the code ${code}`);
  return type;
}

/** The operation of a version or a change, as stored. */
export const operations = { update: 1, delete: 2 } as const;

export type OperationCode = (typeof operations)[keyof typeof operations];
