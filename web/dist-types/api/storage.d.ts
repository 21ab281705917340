/** How many bytes of object texts were stored, and may be. */
export interface Storage {
    readonly used: number;
    readonly most: number;
}
/** What the caller has stored today; undefined without a limit. Throws a RequestFailed. */
export declare function storedToday(signal?: AbortSignal): Promise<Storage | undefined>;
