import { isNonAuthoritative, nonAuthoritativeName, parseObject } from '@cadastre/rpsl';

/** Makes the test whether the text of an object of the main source belongs to its non-authoritative part. */
export function foreignTo(main: string): (text: string) => boolean {
  const foreignName = nonAuthoritativeName(main);
  return (text) => {
    if (!text.toUpperCase().includes(foreignName)) return false;
    const parsed = parseObject(text);
    return parsed.ok && isNonAuthoritative(parsed.object, main);
  };
}
