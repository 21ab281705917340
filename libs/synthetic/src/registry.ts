import { type Counts, countsOf } from './counts.js';

export interface RegistryOptions {
  /** Number of objects, 100 to 10,000,000. */
  readonly objects: number;
  /** Any integer; the same seed gives the same registry, byte by byte, on every machine. */
  readonly seed: number;
  /** Name of the source of the objects. */
  readonly source: string;
}

/** The parameters of all generated objects. */
export interface Registry {
  readonly seed: number;
  readonly source: string;
  /** The `-XXX` at the end of handles: the letters of the source's name. */
  readonly suffix: string;
  readonly counts: Counts;
}

export function registryOf(options: RegistryOptions): Registry {
  const source = options.source.toUpperCase();
  const letters = source.replace(/[^A-Z]/g, '').slice(0, 10);
  return {
    seed: options.seed,
    source,
    suffix: letters.length < 2 ? '-EXMPL' : `-${letters}`,
    counts: countsOf(options.objects),
  };
}
