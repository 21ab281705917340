import { type ComponentChildren } from 'preact';
import { type Session } from '../api/session.js';
/** Whether somebody is signed in: `asking` until the registry has said so. */
export type SignedIn = {
    readonly state: 'asking';
} | {
    readonly state: 'nobody';
} | ({
    readonly state: 'signed-in';
} & Session);
/** Asks once who is signed in, and tells all components. */
export declare function SessionProvider({ children }: {
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
export declare function useSession(): SignedIn;
