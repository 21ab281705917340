/** A key of the signed-in account. Instants are ISO 8601. */
export interface ApiKey {
    readonly id: string;
    readonly name: string;
    readonly created: string;
    readonly expires: string;
    readonly revoked?: string;
    readonly 'last-used'?: string;
    /** The only mntner that it acts for. */
    readonly maintainer?: string;
}
/** What a new key shall be. */
export interface ApiKeyWish {
    readonly name: string;
    /** Day of expiry, YYYY-MM-DD. */
    readonly expires: string;
    readonly maintainer?: string;
}
/** The keys, newest first. Throws a RequestFailed. */
export declare function listApiKeys(signal?: AbortSignal): Promise<ApiKey[]>;
/** Makes a key. Its credential is in this answer and nowhere else. Throws a RequestFailed. */
export declare function createApiKey(wish: ApiKeyWish): Promise<{
    'api-key': ApiKey;
    credential: string;
}>;
/** Revokes a key for good. Throws a RequestFailed. */
export declare function revokeApiKey(id: string): Promise<void>;
