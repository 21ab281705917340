/** Formats a time (ISO 8601) in UTC; returns other texts unchanged. */
export declare function dateText(instant: string): string;
