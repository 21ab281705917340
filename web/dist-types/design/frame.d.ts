import type { ComponentChildren } from 'preact';
import { type Place } from '../router.js';
import './frame.css';
/** The frame around every page. */
export declare function Frame({ place, children }: {
    readonly place: Place;
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
