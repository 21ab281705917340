import { type Attribute, cleanComment } from '@cadastre/rpsl';

/** The attribute with another value and the comment that it has. */
export function withValue(attribute: Attribute, value: string): Attribute {
  const comment = cleanComment(attribute);
  return { name: attribute.name, raw: comment === undefined ? ` ${value}` : ` ${value} # ${comment}` };
}
