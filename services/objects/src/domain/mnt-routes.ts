/** A `mnt-routes` value in its parts. */
interface MntRoutes {
  /** Name of the mntner, lower case. */
  readonly mntner: string;
  /** Prefix ranges as written; empty means any prefix. */
  readonly ranges: readonly string[];
}

/** Reads `NAME`, `NAME ANY`, or `NAME {range, range}`. */
export function parseMntRoutes(value: string): MntRoutes {
  const [, mntner = '', list = ''] = /^([^ {]+) *(?:\{(.*)\})?/.exec(value) ?? [];
  return { mntner: mntner.toLowerCase(), ranges: list.split(/[\s,]+/).filter((range) => range !== '') };
}
