/** Codes in groups by their first letter: `A:DE B:A` are AD, AE and BA. The bundle of the web interface has half as many bytes of them. */
export function twoLetterCodes(groups: string): ReadonlySet<string> {
  return new Set(groups.split(/\s+/).flatMap(([first, , ...others]) => others.map((second) => `${first}${second}`)));
}
