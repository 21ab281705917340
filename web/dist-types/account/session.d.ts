import { type ComponentChildren } from 'preact';
import { type Session } from '../api/session.js';
/** The session state; `loading` until the registry has responded. */
export type SignedIn = {
    readonly state: 'loading';
}
/** `hasEnded`: this page had a session. */
 | {
    readonly state: 'signed-out';
    readonly hasEnded: boolean;
} | ({
    readonly state: 'signed-in';
} & Session);
/** Fetches the session once, for all components, and notices its end. */
export declare function SessionProvider({ children }: {
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
export declare function useSession(): SignedIn;
