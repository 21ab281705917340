/** The list of a combobox: whether it is open, and which option is active (-1: none, the text counts). */
export interface Choice {
    readonly isOpen: boolean;
    readonly active: number;
}
export declare const closed: Choice;
/**
 * What a key does to the list (ARIA Authoring Practices, combobox with list autocomplete): undefined when the key means
 * nothing to it.
 */
export declare function afterKey(key: string, { isOpen, active }: Choice, options: number): Choice | undefined;
