import type { ComponentChildren, ComponentProps } from 'preact';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'label' | 'onClick' | 'children'> {
  /** What it does, in words. */
  readonly label: ComponentChildren;
  readonly act: (event: MouseEvent) => unknown;
}

/** A button for an action; the button that submits a form is an element of the form. */
export function Button({ label, act, ...rest }: ButtonProps) {
  return (
    <button type="button" onClick={act} {...rest}>
      {label}
    </button>
  );
}
