import { attributeType, bareEmail, type RpslObject } from '@cadastre/rpsl';
import { type ValuePlace, valuePlaces } from './places.js';

/** What an operator has to say about an e-mail address. */
export type EmailMark = 'excluded' | 'undeliverable' | 'unsubscribed';

/** The marks of addresses (folded); those without any are not in it. */
export type EmailMarks = ReadonlyMap<string, ReadonlySet<EmailMark>>;

/** An address as marks know it: bare, in lower case. */
export function foldEmail(value: string): string {
  return (bareEmail(value) ?? value).toLowerCase();
}

/** The e-mail addresses in an object, and where they stand. */
export function emailPlaces(object: RpslObject): ValuePlace[] {
  const names = new Set(object.attributes.map(({ name }) => name));
  return valuePlaces(object, ...[...names].filter((name) => attributeType(name)?.syntax === 'email'));
}
