import type { BenchSettings } from './bench-settings.ts';
import type { OnEnd } from './cleaning.ts';

/** What a run works with. */
export interface Surroundings {
  readonly settings: BenchSettings;
  /** For the data of systems, and for files. */
  readonly directory: string;
  readonly say: (line: string) => void;
  readonly onEnd: OnEnd;
}
