import './diff-view.css';
import { diffLines, nearChanges } from './line-diff.js';

const marks = { same: ' ', gap: ' ', removed: '−', added: '+' };
const words = { same: '', gap: '', removed: 'Removed: ', added: 'Added: ' };

interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  /** How many lines to show around what changed; all of them unless given. */
  readonly around?: number;
}

/** What was removed from a text and what was added to it; in words too for those who do not see colours. */
export function DiffView({ before, after, around = Number.POSITIVE_INFINITY }: DiffViewProps) {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === 'same')) return <p class="soft">Nothing differs.</p>;
  return (
    <ol class="list diff">
      {nearChanges(lines, around).map(({ kind, text }, index) => (
        <li key={index} class={kind}>
          <span aria-hidden="true">{marks[kind]}</span>
          <span class="visually-hidden">{words[kind]}</span>
          {text}
        </li>
      ))}
    </ol>
  );
}
