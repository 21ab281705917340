import { availableParallelism, cpus, totalmem } from 'node:os';

/** The environment of the measurements. */
export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly memoryGb: number;
  readonly node: string;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
  };
}
