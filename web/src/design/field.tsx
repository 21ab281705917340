import type { ComponentChildren, ComponentProps } from 'preact';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string;
  readonly children: ComponentChildren;
}

/** A field of a form: a label, its element, and what describes it. */
export function Field({ id, label, hint, error = '', children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {(error !== '' || hint) && (
        <span id={hintOf(id)} class="small soft">
          {error !== '' && <strong>{error} </strong>}
          {hint}
        </span>
      )}
    </div>
  );
}

function hintOf(id: string): string {
  return `${id}-hint`;
}

/** A field whose element is made of the other attributes of its tag. */
type ElementProps<Tag extends 'input' | 'textarea' | 'select'> = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<Tag>, keyof FieldProps | 'role'> & { readonly set?: (value: string) => void };

interface TextFieldProps extends Omit<ElementProps<'input'>, 'type' | 'list'> {
  readonly type?: 'text' | 'search' | 'url' | 'date' | 'datetime-local';
}

/** A field for one line. */
export function TextField({ id, label, hint, error, set, type = 'text', ...input }: TextFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        aria-describedby={hint ? hintOf(id) : undefined}
        onInput={(event) => set?.(event.currentTarget.value)}
        // No role depends on these types.
        {...({ type, ...input } as ComponentProps<'input'>)}
      />
    </Field>
  );
}

/** A field for several lines of text of the trade. */
export function LinesField({ id, label, hint, error, set, ...area }: ElementProps<'textarea'>) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        class="mono"
        spellcheck={false}
        aria-describedby={hint ? hintOf(id) : undefined}
        onInput={(event) => set?.(event.currentTarget.value)}
        {...area}
      />
    </Field>
  );
}

/** The texts in the fields of a form by their names; empty where there is no such field. */
export function textsOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form);
  return (name) => String(data.get(name) ?? '');
}

/** Values to choose from, with what users read instead of each, or the values alone. */
export type Options = readonly (string | readonly [value: string, label: string])[];

/** Each value with what users read. */
export function labelled(options: Options) {
  return options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option));
}

/** A field for one of some values. */
export function SelectField({
  id,
  label,
  options,
  set,
  ...select
}: ElementProps<'select'> & { readonly options: Options }) {
  return (
    <Field id={id} label={label}>
      <select id={id} onChange={(event) => set?.(event.currentTarget.value)} {...select}>
        {labelled(options).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
