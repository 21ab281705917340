/** A source of the registry; objects are written in those of kind `main`. */
export interface Source {
    readonly name: string;
    readonly kind: 'main' | 'grs';
}
/** The sources. Throws a RequestFailed. */
export declare function listSources(signal?: AbortSignal): Promise<Source[]>;
