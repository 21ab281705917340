/** State of the gateway's process. */
export interface GatewayState {
  /** Identifies the process, to detect a restart. */
  process: number;
  openFiles: number;
  activeResources: number;
  heapBytes: number;
}

/** Reads it from the gateway's metrics. */
export async function gatewayState(operations: string): Promise<GatewayState> {
  const text = await (await fetch(`http://${operations}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    process: value('process_start_time_seconds'),
    openFiles: value('process_open_fds'),
    activeResources: value('nodejs_active_resources_total'),
    heapBytes: value('nodejs_heap_size_used_bytes'),
  };
}
