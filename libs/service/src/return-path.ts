const maxLength = 2000;

/**
 * Whether a text is empty or a path of the web application, to which a sign-in may return. Browsers read "\" as "/" and
 * drop tabs and line ends, so "/\example.net" and "//example.net" would lead to another site.
 */
export function isReturnPath(text: string): boolean {
  return text === '' || (text.length <= maxLength && /^\/(?!\/)[!-[\]-~]*$/.test(text));
}
