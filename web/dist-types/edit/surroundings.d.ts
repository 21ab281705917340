import type { ComponentChildren } from 'preact';
import type { ObjectName } from '../paths.js';
/** Waits for the name of the main source, to which objects are written. */
export declare function InSource({ children }: {
    readonly children: (source: string) => ComponentChildren;
}): import("preact").JSX.Element;
/**
 * Waits for the maintainers of the account; editing also works without them. Once they are known, the page stays when
 * they are loaded again because the session has ended or begun.
 */
export declare function WithMaintainers({ children, }: {
    readonly children: (own: readonly ObjectName[]) => ComponentChildren;
}): ComponentChildren;
