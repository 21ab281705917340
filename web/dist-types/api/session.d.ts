/** Who is signed in in this browser. */
export interface Session {
    /** E-mail address of the account. */
    readonly account: string;
    /** When it ends at the latest (ISO 8601). */
    readonly expires: string;
}
/** The session; `undefined` when nobody is signed in. Throws a RequestFailed. */
export declare function getSession(): Promise<Session | undefined>;
/** Ends the session. Throws a RequestFailed. */
export declare function signOut(): Promise<void>;
/** Sends the browser to the identity provider, and back to the page that is shown. */
export declare function signIn(): void;
