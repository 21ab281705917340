import { useState } from 'preact/hooks';
import { remove, type WriteAnswer } from '../api/objects.js';
import { useAttempt } from '../design/attempt.js';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import { takesFocus } from '../design/focus.js';
import { Alert } from '../design/messages.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { WriteMessages } from './refusal.js';
import { isAccepted } from './review.js';

interface DeleteObjectProps {
  readonly name: ObjectName;
  readonly tag: string;
  readonly deleted: () => void;
}

/** Deletes an object in two steps: a dry run, which shows obstacles, then the deletion. */
export function DeleteObject({ name, tag, deleted }: DeleteObjectProps) {
  const [reason, setReason] = useState('');
  const [trial, setTrial] = useState<WriteAnswer>();
  const deletion = useAttempt();
  const attempt = (dryRun: boolean) =>
    deletion.begin(async () => {
      const answer = await remove(name, reason, { dryRun, tag });
      if (!dryRun && isAccepted(answer)) deleted();
      else setTrial(answer);
      return undefined;
    });
  const check = (event: Event) => {
    event.preventDefault();
    void attempt(true);
  };
  return (
    <details class="card delete-object">
      <summary>Delete this object</summary>
      <form class="stack" onSubmit={check}>
        <TextField
          id="reason"
          label="Reason for the history, which everybody can read"
          value={reason}
          set={setReason}
        />
        <Alert messages={deletion.refused} />
        {trial && <WriteMessages messages={trial.messages} />}
        {trial?.status === 409 && (
          <p>
            See <Link to={paths.object(name, 'referrers')}>what refers to it</Link>.
          </p>
        )}
        {trial && isAccepted(trial) ? (
          <p class="row" role="status" tabIndex={-1} ref={takesFocus}>
            The object can be deleted. Its history remains.
            <Button class="danger" label={`Delete ${name.key}`} disabled={deletion.isBusy} act={() => attempt(false)} />
          </p>
        ) : (
          <p>
            <button type="submit" class="danger" disabled={deletion.isBusy}>
              Check the deletion
            </button>
          </p>
        )}
      </form>
    </details>
  );
}
