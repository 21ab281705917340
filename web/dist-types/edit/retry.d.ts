/**
 * Milliseconds before the next attempt after a number of failures: it doubles from one second to half a minute, never
 * less than the registry asked for. `random` (0 to 1) spreads the attempts of many browsers.
 */
export declare function pauseBeforeRetry(failures: number, error: unknown, random?: number): number;
/** Whether a failure may pass by itself: no response, an overloaded or restarting registry, too many requests. */
export declare function mayPass(error: unknown): boolean;
