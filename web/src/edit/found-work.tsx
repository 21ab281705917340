import { dateText } from '../design/date-text.js';
import { focusPage } from '../design/focus.js';

interface FoundWorkProps {
  /** When the changes were stored (ISO 8601). */
  readonly saved: string;
  readonly restore: () => void;
  readonly discard: () => void;
}

/** Offers unsaved changes from before. */
export function FoundWork({ saved, restore, discard }: FoundWorkProps) {
  const answer = (act: () => void) => () => {
    act();
    focusPage();
  };
  return (
    <div class="row spread card" role="status">
      <span>You have unsaved changes of {dateText(saved)}.</span>
      <span class="row">
        <button type="button" class="primary slim" onClick={answer(restore)}>
          Restore
        </button>
        <button type="button" class="slim" onClick={answer(discard)}>
          Discard
        </button>
      </span>
    </div>
  );
}
