import { normalise, parseObject, type RpslObject } from '@cadastre/rpsl';

/** The object of a valid text, for tests. */
export function objectOf(text: string): RpslObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`does not parse: ${text}`);
  return normalise(parsed.object).object;
}
