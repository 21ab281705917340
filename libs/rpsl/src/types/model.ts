import type { attributeRows } from './attribute-rows.js';
import type { syntaxDescriptions } from './syntax-descriptions.js';

export const objectTypeNames = [
  'inetnum',
  'inet6num',
  'as-block',
  'aut-num',
  'as-set',
  'route',
  'route6',
  'route-set',
  'inet-rtr',
  'filter-set',
  'peering-set',
  'rtr-set',
  'domain',
  'poetic-form',
  'poem',
  'mntner',
  'irt',
  'key-cert',
  'organisation',
  'role',
  'person',
] as const;

export type ObjectTypeName = (typeof objectTypeNames)[number];
export type AttributeName = (typeof attributeRows)[number][0];
export type SyntaxId = keyof typeof syntaxDescriptions;
/** `conditional`: business rules decide; `generated`: written by the server. */
export type Requirement = 'mandatory' | 'optional' | 'conditional' | 'generated';
export type Cardinality = 'single' | 'multiple';
export type KeyKind = 'primary' | 'lookup' | 'inverse';

/** One line of a template: how a type uses an attribute. */
export interface AttributeUse {
  readonly name: AttributeName;
  readonly requirement: Requirement;
  readonly cardinality: Cardinality;
  readonly keys: readonly KeyKind[];
}

export interface ObjectType {
  readonly name: ObjectTypeName;
  readonly shortName: string;
  readonly meaning: string;
  /** Order of types in a result. */
  readonly displayOrder: number;
  /** Attributes that form the primary key, in the order in which their values are joined. */
  readonly keyAttributes: readonly AttributeName[];
  readonly isSet: boolean;
  /** Template lines in template order. */
  readonly attributes: readonly AttributeUse[];
}

export interface AttributeType {
  readonly name: AttributeName;
  readonly shortName: string;
  readonly syntax: SyntaxId;
  /** The clean value is a comma separated list. */
  readonly list: boolean;
  /** Object types that a value may name; empty when it names none. */
  readonly references: readonly ObjectTypeName[];
  readonly meaning: string;
}

export type Row = readonly [
  name: AttributeName,
  requirement: Requirement,
  cardinality: Cardinality,
  ...keys: KeyKind[],
];

/** The last attributes of every type. */
const stamps: readonly Row[] = [
  ['created', 'generated', 'single'],
  ['last-modified', 'generated', 'single'],
  ['source', 'mandatory', 'single'],
];

/** Makes a type; `rows` are its attributes without the last three, which every type has. */
export function defineType(
  name: ObjectTypeName,
  shortName: string,
  displayOrder: number,
  meaning: string,
  rows: readonly Row[],
): ObjectType {
  const attributes = [...rows, ...stamps].map(([attribute, requirement, cardinality, ...keys]) => ({
    name: attribute,
    requirement,
    cardinality,
    keys,
  }));
  return {
    name,
    shortName,
    meaning,
    displayOrder,
    keyAttributes: attributes.filter(({ keys }) => keys.includes('primary')).map((one) => one.name),
    isSet: name.endsWith('-set'),
    attributes,
  };
}
