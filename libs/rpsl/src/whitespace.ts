const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/** The four layout characters: space, tab, CR, LF. */
export function isWhitespace(code: number): boolean {
  return code === space || code === tab || code === carriageReturn || code === lineFeed;
}
