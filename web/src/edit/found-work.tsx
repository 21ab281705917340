import { dateText } from '../design/date-text.js';

interface FoundWorkProps {
  /** When the changes were kept (ISO 8601). */
  readonly saved: string;
  readonly restore: () => void;
  readonly discard: () => void;
}

/** Offers unsaved changes from before. */
export function FoundWork({ saved, restore, discard }: FoundWorkProps) {
  return (
    <div class="row spread card" role="status">
      <span>You have unsaved changes of {dateText(saved)}.</span>
      <span class="row">
        <button type="button" class="primary slim" onClick={restore}>
          Restore
        </button>
        <button type="button" class="slim" onClick={discard}>
          Discard
        </button>
      </span>
    </div>
  );
}
