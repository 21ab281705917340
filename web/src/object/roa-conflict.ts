/**
 * The registry's warning about a route that a ROA makes invalid, in short: "AS64511 may originate 192.0.2.0/24, at most
 * /24". Other texts remain.
 */
export function shortConflict(warning: string): string {
  const [, prefix, length, origin] =
    /a prefix (\S+) and a (?:less specific )?maximum length \/(\d+) (?:but|and) .*origin AS(\d+)\b/.exec(warning) ?? [];
  if (prefix === undefined) return warning;
  return origin === '0' ? `nobody may originate ${prefix}` : `AS${origin} may originate ${prefix}, at most /${length}`;
}
