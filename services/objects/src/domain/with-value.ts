import { type Attribute, cleanComment } from '@cadastre/rpsl';

/** Replaces the value of an attribute and keeps its comment. */
export function withValue(attribute: Attribute, value: string): Attribute {
  const comment = cleanComment(attribute);
  return { name: attribute.name, raw: comment === undefined ? ` ${value}` : ` ${value} # ${comment}` };
}
