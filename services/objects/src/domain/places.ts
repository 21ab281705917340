import { type Attribute, listValues, type RpslObject } from '@cadastre/rpsl';

/** An attribute and its position in the object. */
interface AttributePlace {
  readonly attribute: Attribute;
  readonly index: number;
}

/** One clean value of an attribute (an element of a list) and its position. */
export interface ValuePlace extends AttributePlace {
  readonly value: string;
}

/** The attributes of these names in object order. */
export function places(object: RpslObject, ...names: string[]): AttributePlace[] {
  return object.attributes
    .map((attribute, index) => ({ attribute, index }))
    .filter(({ attribute }) => names.includes(attribute.name));
}

/** The clean values of these attributes in object order. */
export function valuePlaces(object: RpslObject, ...names: string[]): ValuePlace[] {
  return places(object, ...names).flatMap((place) => listValues(place.attribute).map((value) => ({ ...place, value })));
}
