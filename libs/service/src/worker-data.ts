/** Functions by name, with parameters and results that can be copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of any function.
export type Tasks = Record<string, (...parameters: any[]) => unknown>;

/** The parameters that a pool passes to its threads. */
export interface WorkerData {
  /** URL of the module whose functions are the tasks. */
  readonly tasks: string;
  readonly isLowPriority: boolean;
}

/** The event that a thread sends when it begins a task; the timeout starts then. */
export const begun = 'begun';
