import type { components } from '@cadastre/client';
/** A source of the registry; objects are written in those of kind `main`. */
export interface Source {
    readonly name: string;
    readonly kind: 'main' | 'grs';
    /** How current it is; empty when the registry does not keep it current by itself. */
    readonly mirror: Partial<components['schemas']['GrsSource']>;
}
/** The sources. Throws a RequestFailed. */
export declare function listSources(signal?: AbortSignal): Promise<Source[]>;
