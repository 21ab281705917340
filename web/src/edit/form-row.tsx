import type { ComponentProps } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Message } from '../api/message.js';
import { Button } from '../design/button.js';
import { Messages } from '../design/messages.js';
import { Popover } from '../design/popover.js';
import { attributeHelp, type Choice, choicesOf, optionOf } from './attribute-help.js';
import type { Row } from './draft.js';
import { SuggestedInput } from './suggested-input.js';

interface FormRowProps {
  readonly row: Row;
  readonly type: string;
  readonly messages: readonly Message[];
  readonly mandatory: boolean;
  /** Absent for generated values, and for the key of an existing object. */
  readonly change?: (value: string) => void;
  readonly fill?: (lines: string[]) => void;
  readonly drop?: () => void;
}

/** One attribute in the form: its value, its help, and the registry's messages about it. */
export function FormRow(props: FormRowProps) {
  const { row, type, messages, drop } = props;
  const id = useId();
  const { meaning, value: syntax } = attributeHelp(row.name, type);
  return (
    <div class="form-row" id={`row-${row.id}`}>
      <div class="form-row-head">
        <label for={id} class="mono">
          {row.name}
        </label>
        <Popover class="help" opener="?" label={`About ${row.name}`}>
          <p>{meaning}</p>
          <p class="flush soft">{syntax}</p>
        </Popover>
      </div>
      <div class="form-row-value">
        <ValueField {...props} id={id} />
        {drop && <Button class="quiet slim" label="✕" aria-label={`Remove ${row.name} ${row.value}`} act={drop} />}
      </div>
      <div id={`${id}-messages`} class="form-row-messages">
        <Messages messages={messages.map(({ attribute: _here, ...message }) => message)} />
      </div>
    </div>
  );
}

/** The field for a value: of lines, of choices, or of text with suggestions. */
function ValueField({ id, row, type, messages, mandatory, change, fill }: FormRowProps & { readonly id: string }) {
  const choices = choicesOf(row.name, type);
  const common = {
    id,
    class: 'mono',
    value: row.value,
    'aria-required': mandatory,
    'aria-invalid': messages.some(({ severity }) => severity === 'Error'),
    'aria-describedby': `${id}-messages`,
  };
  if (row.value.includes('\n')) {
    return (
      <textarea
        {...common}
        readOnly={change === undefined}
        rows={row.value.split('\n').length}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => change?.(event.currentTarget.value)}
      />
    );
  }
  if (choices) return <ChoiceField {...common} choices={choices} change={change} />;
  const paste = (event: ClipboardEvent) => {
    const lines = (event.clipboardData?.getData('text') ?? '').replace(/\r?\n$/, '').split(/\r?\n/);
    if (fill === undefined || lines.length < 2 || row.value !== '') return;
    event.preventDefault();
    fill(lines);
  };
  return (
    <SuggestedInput
      {...common}
      attribute={row.name}
      readOnly={change === undefined}
      set={(value) => change?.(value)}
      onPaste={paste}
    />
  );
}

interface ChoiceFieldProps extends Omit<ComponentProps<'select'>, 'role' | 'value'> {
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly change: ((value: string) => void) | undefined;
}

/** A value to choose. A value that was written before remains a choice, even when the registry no longer accepts it. */
function ChoiceField({ value, choices, change, ...common }: ChoiceFieldProps) {
  const [first] = useState(value);
  const isListed = (option: string) => choices.some((choice) => choice.value === option);
  const others = [...new Set([first, value])].filter((option) => option === '' || !isListed(option));
  return (
    <select
      {...common}
      value={value}
      disabled={change === undefined}
      onChange={(event) => change?.(event.currentTarget.value)}
    >
      {[
        ...others.map((option) => [option, option === '' ? 'Choose …' : `${option} (as written)`] as const),
        ...choices.map(optionOf),
      ].map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </select>
  );
}
