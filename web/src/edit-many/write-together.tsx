import { useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import { type BatchAnswer, type BatchResult, maxObjects, writeBatch } from '../api/batch.js';
import type { Message } from '../api/message.js';
import { Messages } from '../design/messages.js';
import { useTrial } from '../edit/dry-run.js';
import { isRefusal, Refusal } from '../edit/refusal.js';
import { isAccepted, Unchecked, Verdict } from '../edit/review.js';
import { type Saving, SavingState } from '../edit/saving.js';
import type { ObjectName } from '../paths.js';
import './edit-many.css';
import { amount } from '../design/amount.js';
import { inOrder, isOutdated, isRefused, type Proposal } from './proposal.js';
import { ProposalView } from './proposal-view.js';

interface WriteTogetherProps {
  readonly source: string;
  readonly proposals: readonly Proposal[];
  /** Of the deletions. */
  readonly reason?: string;
  readonly maintainers: readonly ObjectName[];
  readonly saving: Saving;
  /** Looks up the stored objects again. */
  readonly refresh: () => void;
  /** Removes objects from the proposals. */
  readonly leaveOut?: (names: readonly ObjectName[]) => void;
  readonly saved: (results: readonly BatchResult[]) => void;
}

/** Shows the effect of writing objects together, by a dry run, and writes them in one transaction. */
export function WriteTogether(props: WriteTogetherProps) {
  const { source, proposals, reason = '', maintainers, saving, refresh, leaveOut, saved } = props;
  const session = useSession();
  const account = session.state === 'signed-in' ? session.account : '';
  const [attempts, setAttempts] = useState(0);
  const objects = proposals.map(({ attributes, tag, isDeletion }) => ({ attributes, tag, isDeletion }));
  const isAsked = account !== '' && objects.length > 0;
  const question = isAsked ? JSON.stringify([account, attempts, reason, objects]) : '';
  const names = JSON.stringify(proposals.map(({ type, name }) => [type, name?.key]));
  const trial = useTrial(question, async (signal) => {
    return { names, ...(await writeBatch(source, objects, { dryRun: true, reason, signal })) };
  });
  // Until the next response, the last one remains if it is about these objects.
  const last = 'last' in trial && trial.last?.names === names ? trial.last : undefined;
  const refused = proposals.filter((_, at) => last?.results[at] && isRefused(last.results[at]));
  const save = () =>
    saving.begin(async () => {
      const options = { dryRun: false, key: saving.key, reason };
      const answer = await saving.once((signal) => writeBatch(source, objects, { ...options, signal }));
      if (isAccepted(answer)) return saved(answer.results) ?? undefined;
      // The dry run shows the conflict of each object.
      setAttempts((before) => before + 1);
      return [...answer.messages, nothingSaved];
    });
  if (objects.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="review">
      <div class="card stack review">
        <h2 id="review" class="row spread">
          Before you save{' '}
          {trial.state !== 'idle' && trial.state !== 'failed' && <Verdict trial={trial} words={verdictOf} />}
        </h2>
        {session.state === 'signed-out' && !session.hasEnded && (
          <p class="row">
            The registry tries and saves it once you are signed in. <SignInButton class="slim" />
          </p>
        )}
        {trial.state === 'failed' && <Unchecked trial={trial} />}
        {last && <Said last={last} source={source} maintainers={maintainers} />}
        {last?.results.some(isOutdated) && (
          <p class="row" role="status">
            Someone else wrote some of these objects meanwhile.
            <button type="button" class="slim" onClick={refresh}>
              Look them up again
            </button>
          </p>
        )}
        <SavingState saving={saving} />
        <p class="row">
          <button
            type="button"
            class="primary"
            disabled={saving.isBusy || trial.state !== 'checked' || !last || !isAccepted(last)}
            onClick={save}
          >
            Save {amount(proposals.length, 'object')}
          </button>
          {leaveOut && refused.length > 1 && refused.length < proposals.length && (
            <button type="button" onClick={() => leaveOut(refused.flatMap(({ name }) => name ?? []))}>
              Leave out the {refused.length} refused
            </button>
          )}
          <span class="small soft">All of them, or none.</span>
        </p>
      </div>
      <ul class="list proposals">
        {inOrder(proposals, last?.results).map(({ proposal, result, at }) => (
          <li key={at}>
            <ProposalView proposal={proposal} result={result} leaveOut={leaveOut} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const nothingSaved: Message = { severity: 'Error', text: 'Nothing is saved. See below what the registry refuses.' };

/** The registry's result for all objects together: its messages, and whose authority is missing. */
function Said({
  last,
  source,
  maintainers,
}: {
  readonly last: BatchAnswer;
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
}) {
  const refusals = last.results.flatMap(({ messages }) => messages).filter(isRefusal);
  return (
    <>
      {refusals.length > 0 && <Refusal messages={refusals} source={source} maintainers={maintainers} />}
      <Messages messages={last.messages} />
    </>
  );
}

/** Reports that a selection or a text has too many objects. */
export function TooMany({ count }: { readonly count: number }) {
  return (
    <p class="card" role="status">
      {count} objects are too many: one transaction writes at most {maxObjects}. Remove some, and write them later.
    </p>
  );
}

function verdictOf({ status, results }: BatchAnswer): string {
  if (status === 200) return 'Can be saved';
  const refused = results.filter(isRefused).length;
  return refused === 0 ? 'Cannot be saved' : `${refused} of ${results.length} refused`;
}
