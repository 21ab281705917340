import { useState } from 'preact/hooks';
import { TextField } from '../design/field.js';
import { type ObjectName, paths } from '../paths.js';
import { Link, navigate } from '../router.js';
import './choose-moment.css';
import { inputOfMoment, momentOf, momentOfInput, momentOfPast, type Past } from './past.js';

interface MomentFieldProps {
  readonly id: string;
  /** Its moment at first; a serial leaves it empty. */
  readonly asOf: string;
  readonly change: (asOf: string) => void;
  readonly required?: boolean;
}

/** The field for a moment of the past, in UTC. */
export function MomentField({ id, asOf, change, required = false }: MomentFieldProps) {
  // The browser manages the typed text: setting a value meanwhile would disturb the typing of a year.
  const [first] = useState(() => inputOfMoment(asOf));
  return (
    <TextField
      id={id}
      label="As of date and time (UTC)"
      type="datetime-local"
      step="1"
      required={required}
      defaultValue={first}
      onChange={(event) => change(momentOfInput(event.currentTarget.value))}
    />
  );
}

interface ChooseMomentProps {
  readonly name: ObjectName;
  readonly view: string;
  readonly past: Past | undefined;
}

/** Leads to an earlier state of an object. */
export function ChooseMoment({ name, view, past }: ChooseMomentProps) {
  const [asOf, setAsOf] = useState(momentOfPast(past)?.['as-of'] ?? '');
  const submit = (event: Event) => {
    event.preventDefault();
    navigate(paths.object(name, view === 'history' ? '' : view, momentOf(asOf)));
  };
  return (
    <details class="choose-moment" open={past !== undefined}>
      <summary>Earlier states</summary>
      <form class="row" onSubmit={submit}>
        <MomentField id="moment" asOf={asOf} change={setAsOf} required />
        <button type="submit">Show</button>
        {view !== 'history' && (
          <span class="soft">
            or choose a version in the <Link to={paths.object(name, 'history')}>history</Link>
          </span>
        )}
      </form>
    </details>
  );
}
