import { attributeType, countries, enumerationOf, languages, objectType, syntaxes } from '@cadastre/rpsl';
import type { Message } from '../api/message.js';

const descriptions: ReadonlyMap<string, string> = new Map(syntaxes.map(({ id, description }) => [id, description]));

/** The meaning of an attribute in objects of a type, and its possible values. */
export function attributeHelp(name: string, type: string): { meaning: string; value: string } {
  const attribute = attributeType(name);
  if (attribute === undefined) return { meaning: 'This registry does not know the attribute.', value: '' };
  const list = attribute.list ? 'A list, separated by commas. ' : '';
  const values = Object.keys(enumerated(name, type) ?? {});
  const value = values.length > 0 ? `One of: ${values.join(', ')}.` : descriptions.get(attribute.syntax);
  return { meaning: attribute.meaning, value: `${list}${value ?? ''}` };
}

/** A value to choose. */
export interface Choice {
  readonly value: string;
  /** Empty if the browser does not know it. */
  readonly meaning: string;
}

/** A choice with what users read. */
export function optionOf({ value, meaning }: Choice): readonly [value: string, label: string] {
  return [value, meaning === '' ? value : `${value}: ${meaning}`];
}

/** All values that an attribute may have in objects of a type, if there are few; otherwise undefined. */
export function choicesOf(name: string, type: string): readonly Choice[] | undefined {
  const values = enumerated(name, type);
  if (values) return Object.entries(values).map(([value, meaning]) => ({ value, meaning }));
  if (name === 'country') return named(countries, 'region');
  return name === 'language' ? named(languages, 'language') : undefined;
}

/** Codes with their names, which the browser knows. */
function named(codes: ReadonlySet<string>, type: 'region' | 'language'): Choice[] {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
  return [...codes].map((value) => ({ value, meaning: names.of(value) ?? '' }));
}

function enumerated(name: string, type: string) {
  const [attribute, object] = [attributeType(name), objectType(type)];
  return attribute && object && enumerationOf(attribute.name, object.name);
}

/** Adds the correct form to a message about a wrong value. */
export function withHint(message: Message, type: string): Message {
  if (message.attribute === undefined || !isAboutSyntax.test(message.text)) return message;
  const { value } = attributeHelp(message.attribute.name, type);
  return value === '' ? message : { ...message, hint: `Allowed: ${value}` };
}

const isAboutSyntax = /^(Syntax error in|Country not recognised:|Language not recognised:) /;
