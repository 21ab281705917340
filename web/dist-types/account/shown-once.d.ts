import type { ComponentChildren } from 'preact';
interface ShownOnceProps {
    readonly heading: string;
    readonly copyLabel: string;
    readonly secret: string;
    /** Called when the user has it. */
    readonly put: () => void;
    readonly children?: ComponentChildren;
}
/** A secret that the registry does not show again. */
export declare function ShownOnce({ heading, copyLabel, secret, put, children }: ShownOnceProps): import("preact").JSX.Element;
export {};
