import { attributeType, syntaxes } from '@cadastre/rpsl';

const descriptions: ReadonlyMap<string, string> = new Map(syntaxes.map(({ id, description }) => [id, description]));

/** The meaning of an attribute, and its possible values. */
export function attributeHelp(name: string): { meaning: string; value: string } {
  const type = attributeType(name);
  if (type === undefined) return { meaning: 'This registry does not know the attribute.', value: '' };
  const list = type.list ? 'A list, separated by commas. ' : '';
  return { meaning: type.meaning, value: `${list}${descriptions.get(type.syntax) ?? ''}` };
}
