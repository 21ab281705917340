/** Something that runs until it is stopped. */
export interface Service {
  start(): Promise<void>;
  /** Finishes what is running, then releases everything. */
  stop(): Promise<void>;
}
