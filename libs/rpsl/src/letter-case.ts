/**
 * Names (of sources, types and attributes, and keys) ignore the case of the letters A to Z only (decision R10).
 * JavaScript's own functions also map other letters to these: the long s to S, the Kelvin sign to k.
 */
const ascii = /^[\0-\x7f]*$/;

/** The text with a to z in upper case; other characters stay. */
export function asciiUpperCase(text: string): string {
  return ascii.test(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The text with A to Z in lower case; other characters stay. */
export function asciiLowerCase(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
