import type { ApiKey } from '@cadastre/client';
/** The properties of a new key. */
export interface NewApiKey {
    readonly name: string;
    /** Day of expiry, YYYY-MM-DD. */
    readonly expires: string;
    /** The only mntner that it acts for; default: all of the account. */
    readonly maintainer?: string;
}
/** The keys of the signed-in account, newest first. Throws a RequestFailed. */
export declare function listApiKeys(signal?: AbortSignal): Promise<ApiKey[]>;
/** Creates a key. Only this response has its credential. Throws a RequestFailed. */
export declare function createApiKey(key: NewApiKey): Promise<{
    credential: string;
}>;
/** Revokes a key permanently. Throws a RequestFailed. */
export declare function revokeApiKey(id: string): Promise<void>;
