/** The account that is signed in in this browser. */
export interface Session {
    /** E-mail address of the account. */
    readonly account: string;
    /** Latest end of the session (ISO 8601). */
    readonly expires: string;
}
/** The session; `undefined` without one. Throws a RequestFailed. */
export declare function getSession(): Promise<Session | undefined>;
/** Ends the session. Throws a RequestFailed. */
export declare function signOut(): Promise<void>;
/** Dispatched on the window before the browser leaves in order to sign in: it comes back to the same page. */
export declare const signingIn = "cadastre:signing-in";
/** Redirects the browser to the identity provider, and then back to the current page. */
export declare function signIn(): void;
/** The origin of the registry over HTTPS, which a refusal over plain HTTP names; undefined where it names none. */
export declare function httpsOrigin(): Promise<string | undefined>;
