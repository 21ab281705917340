/** The list of a combobox: whether it is open, and which option is active (-1: none, the text counts). */
export interface Choice {
  readonly isOpen: boolean;
  readonly active: number;
}

export const closed: Choice = { isOpen: false, active: -1 };

/**
 * The effect of a key on the list (ARIA Authoring Practices, combobox with list autocomplete): undefined when the key
 * has no meaning for it.
 */
export function afterKey(key: string, { isOpen, active }: Choice, options: number): Choice | undefined {
  if (key === 'ArrowDown' && !isOpen) return { isOpen: true, active: -1 };
  if (!isOpen || options === 0) return undefined;
  // One more position than options: the text itself.
  const step = (by: number) => ({ isOpen, active: ((active + 1 + by + options + 1) % (options + 1)) - 1 });
  if (key === 'ArrowDown') return step(1);
  if (key === 'ArrowUp') return step(-1);
  return key === 'Escape' ? closed : undefined;
}
