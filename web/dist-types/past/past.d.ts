/** The past of which a page is: a moment (a serial, a date or a time), or a version. Parameters of its address. */
export type Past = Moment | {
    readonly version: string;
};
/** A moment of the whole registry, which the links of a page keep. */
export type Moment = {
    readonly 'as-of': string;
};
/** The past that an address names; undefined for the present. */
export declare function pastOf(query: URLSearchParams): Past | undefined;
/** The moment that a parameter `as-of` names; undefined for none. */
export declare function momentOf(asOf: string | null | undefined): Moment | undefined;
/** The moment of a past; versions have none, and the present neither. */
export declare function momentOfPast(past: Past | undefined): Moment | undefined;
/** A past for people: `2026-01-02 03:04 UTC`, `serial 4711`, `version 3`. */
export declare function pastText(past: Past): string;
/** A time (ISO 8601) to the second in UTC, without seconds that are 0; other texts unchanged. */
export declare function timeText(time: string): string;
/** The value of an `<input type="datetime-local">` for a moment, in UTC; empty for a serial. */
export declare function inputOfMoment(asOf: string): string;
/** The moment that such an input has; empty for none. */
export declare function momentOfInput(value: string): string;
