import type { BatchResult } from '../api/batch.js';
import { Button } from '../design/button.js';
import { Messages } from '../design/messages.js';
import { ObjectLink } from '../design/object-link.js';
import { withHint } from '../edit/attribute-help.js';
import { textByPeople, textOfAttributes } from '../edit/draft.js';
import { isRefusal } from '../edit/refusal.js';
import { textOfShown } from '../edit/review.js';
import { DiffView } from '../object/diff-view.js';
import type { ObjectName } from '../paths.js';
import { isRefused, type Proposal } from './proposal.js';

interface ProposalViewProps {
  readonly proposal: Proposal;
  /** The registry's result for it; undefined until the response. */
  readonly result: BatchResult | undefined;
  readonly leaveOut: ((names: readonly ObjectName[]) => void) | undefined;
}

/** One of the objects that are written together: its difference, and the registry's messages about it. */
export function ProposalView({ proposal, result, leaveOut }: ProposalViewProps) {
  const { name, type, before, isDeletion } = proposal;
  const messages = (result?.messages ?? []).filter((message) => !isRefusal(message));
  const isBad = result !== undefined && isRefused(result);
  return (
    <article class="card stack">
      <header class="row spread">
        <h3 class="row flush">
          <span class="chip plain">{type}</span>
          {name ? <ObjectLink name={name} /> : <span class="mono">{result?.object?.name.key ?? 'new'}</span>}
        </h3>
        <span class="row">
          {result && <span class={`chip ${isBad ? 'warn' : ''}`}>{words[result.outcome]}</span>}
          {name && isBad && leaveOut && (
            <Button class="slim" label="Leave out" aria-label={`Leave out ${name.key}`} act={() => leaveOut([name])} />
          )}
        </span>
      </header>
      <Messages messages={messages.map((message) => withHint(message, type))} />
      <DiffView around={1} before={textByPeople(before)} after={isDeletion ? '' : textAfter(proposal, result)} />
    </article>
  );
}

/** The object as the registry would store it; as the user wrote it while that is unknown. */
function textAfter({ type, attributes }: Proposal, result: BatchResult | undefined): string {
  return textByPeople(result?.object ? textOfShown(result.object) : textOfAttributes(type, attributes));
}

const words: Record<BatchResult['outcome'], string> = {
  created: 'New',
  modified: 'Changed',
  deleted: 'Deleted',
  unchanged: 'Unchanged',
  invalid: 'Refused',
  unauthorised: 'Authority missing',
  stale: 'Changed by others',
  exists: 'Exists already',
  referenced: 'Others refer to it',
  'not-found': 'Does not exist',
  'day-quota': 'Too much for today',
  'mntner-quota': 'Too much for its maintainer',
  skipped: 'Waits for the others',
};
