import { useEffect, useRef, useState } from 'preact/hooks';
import { lookUpResources, maxInRequest } from '../api/bulk-lookup.js';
import { pause } from '../api/registry.js';
import { Button } from '../design/button.js';
import { Alert } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { type BulkLookup, type BulkState, createBulkLookup } from './bulk-lookup.js';
import './bulk-page.css';
import { numberText } from '../design/format.js';
import { BulkForm } from './bulk-form.js';
import { BulkResult } from './bulk-result.js';
import type { FoundResources } from './find-resources.js';

/** The lookup of this tab: it continues, and its result remains, while the user visits other pages. */
const lookup = createBulkLookup({
  ask: lookUpResources,
  pause: (seconds, signal) => pause(seconds * 1000, signal),
  size: maxInRequest,
});

/** Looks up all addresses, prefixes and AS numbers of a text. */
export function BulkPage() {
  useTitle('Bulk lookup');
  const state = useBulkState(lookup);
  const result = useRef<HTMLHeadingElement>(null);
  const start = (found: FoundResources) => {
    void lookup.start(found);
    result.current?.focus();
  };
  return (
    <div class="stack">
      <h1>Bulk lookup</h1>
      <BulkForm onStart={start} />
      <section class="stack" aria-labelledby="bulk-result">
        <h2 id="bulk-result" tabIndex={-1} ref={result}>
          {state.phase === 'empty' ? 'What you get' : 'Result'}
        </h2>
        {state.phase === 'empty' ? (
          <p class="soft">
            A table with network, holder, country, abuse contact, and the origin of the route with its ROA state; also
            as CSV and JSON.
          </p>
        ) : (
          <>
            <Progress state={state} />
            <BulkResult rows={state.rows} isCut={state.isCut} />
          </>
        )}
      </section>
    </div>
  );
}

function Progress({ state }: { readonly state: BulkState }) {
  const { phase, requested, answered, isCut, messages } = state;
  const isRunning = phase === 'running' || phase === 'waiting';
  const isAnswered = answered === requested;
  const hasErrors = state.rows.some(({ answer }) => answer?.error !== undefined);
  const actions: readonly (readonly [label: string, isOffered: boolean, act: () => unknown])[] = [
    ['Stop', isRunning, lookup.stop],
    ['Continue', !isRunning && !isAnswered, lookup.resume],
    ['Try failed ones again', !isRunning && isAnswered && hasErrors, lookup.resume],
    ['Clear', true, lookup.clear],
  ];
  return (
    <div class="stack">
      <div class="row spread bulk-progress">
        <span class="row">
          <progress aria-label="Answered" max={Math.max(1, requested)} value={requested === 0 ? 1 : answered} />
          <span role="status">{progressText(state)}</span>
        </span>
        <span class="row">
          {actions.map(
            ([label, isOffered, act]) => isOffered && <Button key={label} class="slim" {...{ label, act }} />,
          )}
        </span>
      </div>
      {isCut && <p class="small">The text has more resources. These are the first {numberText(state.rows.length)}.</p>}
      <Alert messages={messages} />
    </div>
  );
}

function progressText({ phase, requested, answered, waitSeconds }: BulkState): string {
  const [done, all] = [answered, requested].map((count) => numberText(count));
  switch (phase) {
    case 'waiting':
      return `${done} of ${all}: your limit is used up. Continues in ${waitSeconds} s.`;
    case 'stopped':
      return `Stopped: ${done} of ${all} looked up`;
    case 'failed':
      return `Failed: ${done} of ${all} looked up`;
    case 'done':
      return `${done} looked up`;
    default:
      return `${done} of ${all} looked up`;
  }
}

function useBulkState({ state, subscribe }: BulkLookup): BulkState {
  const [shown, setShown] = useState(state);
  useEffect(() => {
    setShown(state());
    return subscribe(() => setShown(state()));
  }, []);
  return shown;
}
