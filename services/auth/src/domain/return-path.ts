const maxLength = 2000;

/**
 * Whether a text is empty or a path of the web application itself. Browsers read "\" as "/" and drop tabs and line
 * ends, so that "/\example.net" and "//example.net" would lead elsewhere.
 */
export function isReturnPath(text: string): boolean {
  return text === '' || (text.length <= maxLength && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\'));
}
