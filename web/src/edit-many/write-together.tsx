import { useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { SignInHint } from '../account/sign-in-button.js';
import { type BatchAnswer, type BatchObject, type BatchResult, maxObjects, writeBatch } from '../api/batch.js';
import type { Message } from '../api/message.js';
import { Button } from '../design/button.js';
import { useShowMore } from '../design/show-more.js';
import { useTrial } from '../edit/dry-run.js';
import { isRefusal, WriteMessages } from '../edit/refusal.js';
import { isAccepted, Unchecked, Verdict } from '../edit/review.js';
import { newKey, type Saving, SavingState } from '../edit/saving.js';
import { useWriting } from '../edit/source-and-maintainers.js';
import type { ObjectName } from '../paths.js';
import './edit-many.css';
import { amount, numberText } from '../design/format.js';
import { inOrder, isOutdated, isRefused, type Proposal } from './proposal.js';
import { ProposalView } from './proposal-view.js';
import type { WhenSaved } from './saved-objects.js';
import { performAll, transactionsOf, tryAll } from './transactions.js';

interface WriteTogetherProps extends WhenSaved {
  readonly proposals: readonly Proposal[];
  /** Of the deletions. */
  readonly reason?: string;
  readonly saving: Saving;
  /** Looks up the stored objects again. */
  readonly refresh: () => void;
  readonly leaveOut?: (names: readonly ObjectName[]) => void;
  /** Some of several transactions are saved; these are their objects. */
  readonly savedSome?: (results: readonly BatchResult[], names: readonly ObjectName[]) => void;
}

/** Proposals that are shown at first, and that a click adds. */
const step = 100;

/**
 * Shows the effect of writing objects together, by a dry run, and writes them: in one transaction, or in several when
 * they are more than one has.
 */
export function WriteTogether(props: WriteTogetherProps) {
  const { proposals, saving, refresh, leaveOut } = props;
  const { trial, last, save, transactions, current } = useTransactions(props);
  const refused = proposals.filter((_, at) => last?.results[at] && isRefused(last.results[at]));
  const { visible, list, more } = useShowMore(inOrder(proposals, last?.results), step, 'objects');
  if (proposals.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="review">
      <div class="card stack">
        <h2 id="review" class="row spread">
          Before you save{' '}
          {trial.state !== 'idle' && trial.state !== 'failed' && <Verdict trial={trial} words={verdictOf} />}
        </h2>
        <SignInHint>The registry tries and saves it once you are signed in.</SignInHint>
        {trial.state === 'failed' && <Unchecked trial={trial} />}
        {last && <WriteMessages messages={messagesAbout(last)} />}
        {last?.results.some(isOutdated) && (
          <p class="row" role="status">
            Someone else wrote some of these objects meanwhile.
            <Button class="slim" label="Look them up again" disabled={saving.isBusy} act={refresh} />
          </p>
        )}
        <SavingState saving={saving} />
        <p class="row">
          <Button
            class="primary"
            label={`Save ${amount(proposals.length, 'object')}`}
            disabled={saving.isBusy || trial.state !== 'checked' || !last || !isAccepted(last)}
            act={save}
          />
          {leaveOut && refused.length > 1 && refused.length < proposals.length && (
            <Button
              label={`Leave out the ${refused.length} refused`}
              disabled={saving.isBusy}
              act={() => leaveOut(refused.flatMap(({ name }) => name ?? []))}
            />
          )}
          <span class="small soft" role="status">
            {howText(transactions, saving.isBusy ? current : undefined)}
          </span>
        </p>
      </div>
      <ul class="list proposals" inert={saving.isBusy} ref={list}>
        {visible.map(({ proposal, result, at }) => (
          <li key={at}>
            <ProposalView proposal={proposal} result={result} leaveOut={leaveOut} />
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

/** The dry run of proposals, how many transactions write them, and the function that does. */
function useTransactions({ proposals, reason = '', saving, saved, savedSome }: WriteTogetherProps) {
  const { source } = useWriting();
  const { account } = useSession();
  const [attempts, setAttempts] = useState(0);
  /** The number of the transaction that is being saved, from 0. */
  const [current, setCurrent] = useState(0);
  const transactions = transactionsOf(proposals);
  const isTried = account !== '' && proposals.length > 0;
  const question = isTried ? JSON.stringify([account, attempts, reason, proposals.map(sentOf)]) : '';
  const names = JSON.stringify(proposals.map(({ type, name }) => [type, name?.key]));
  const trial = useTrial(question, async (signal) => {
    const options = { dryRun: true, reason, signal };
    const answer = await tryAll(transactions, (some) => writeBatch(source, some.map(sentOf), options));
    return { names, ...answer };
  });
  const save = () =>
    saving.begin(async () => {
      const { stored, results, why } = await performAll(transactions, (some, at) => {
        setCurrent(at);
        const key = transactions.length > 1 && saving.key ? `${saving.key}-${at}` : saving.key;
        const options = { dryRun: false, key, reason };
        return saving.once((signal) => writeBatch(source, some.map(sentOf), { ...options, signal }));
      });
      if (why.length === 0) {
        saved(results);
        return undefined;
      }
      // The dry run shows the conflict of each object.
      setAttempts((before) => before + 1);
      if (stored.length > 0) {
        // The next transactions have other objects.
        saving.setKey(newKey());
        savedSome?.(
          results,
          stored.flatMap(({ name }) => name ?? []),
        );
      }
      return why;
    });
  // Until the next response, the last one remains if it is about these objects.
  const last = trial.last?.names === names ? trial.last : undefined;
  return { trial, last, save, transactions: transactions.length, current };
}

/** What the registry gets of a proposal. */
function sentOf({ attributes, tag, isDeletion }: Proposal): BatchObject {
  return { attributes, tag, isDeletion };
}

/** In how many transactions objects are saved; with the number of one, that it is being saved. */
function howText(transactions: number, current: number | undefined): string {
  if (transactions === 1) return 'All of them, or none.';
  if (current !== undefined) return `Saving transaction ${current + 1} of ${transactions} …`;
  return `In ${transactions} transactions of at most ${maxObjects} objects: each is saved or refused on its own.`;
}

/** The messages about all objects together, and those about missing authority. */
function messagesAbout({ messages, results }: BatchAnswer): Message[] {
  return [...results.flatMap((result) => result.messages.filter(isRefusal)), ...messages];
}

/** Reports that a selection or a text has too many objects. */
export function TooMany({ count, max }: { readonly count: number; readonly max: number }) {
  return (
    <p class="card" role="status">
      {numberText(count)} objects are too many: this page writes at most {numberText(max)} at a time. Remove some, and
      write them later.
    </p>
  );
}

function verdictOf({ status, results }: BatchAnswer): string {
  if (status === 200) return 'Can be saved';
  const refused = results.filter(isRefused).length;
  return refused === 0 ? 'Cannot be saved' : `${refused} of ${results.length} refused`;
}
