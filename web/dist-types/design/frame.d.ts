import type { ComponentChildren } from 'preact';
import { type Place } from '../router.js';
import './frame.css';
/** What stands around every page. */
export declare function Frame({ place, children }: {
    readonly place: Place;
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
/** Signing in needs HTTPS: over plain HTTP this says so. */
export declare function SignInButton({ class: look }: {
    readonly class?: string;
}): import("preact").JSX.Element;
