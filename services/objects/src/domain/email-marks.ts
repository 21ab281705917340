import { attributeType, bareEmail, type RpslObject } from '@cadastre/rpsl';
import { type ValuePlace, valuePlaces } from './places.js';

/** A mark that an operator puts on an e-mail address. */
export type EmailMark = 'excluded' | 'undeliverable' | 'unsubscribed';

/** Marks by folded address; unmarked addresses are absent. */
export type EmailMarks = ReadonlyMap<string, ReadonlySet<EmailMark>>;

/** The form of an address in marks: bare, in lower case. */
export function foldEmail(value: string): string {
  return (bareEmail(value) ?? value).toLowerCase();
}

/** The e-mail addresses in an object, and their places. */
export function emailPlaces(object: RpslObject): ValuePlace[] {
  const names = new Set(object.attributes.map(({ name }) => name));
  return valuePlaces(object, ...[...names].filter((name) => attributeType(name)?.syntax === 'email'));
}
