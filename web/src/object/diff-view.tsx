import './diff-view.css';
import { diffLines } from '@cadastre/rpsl';
import { nearChanges } from './near-changes.js';

const marks = { same: ' ', gap: ' ', removed: '−', added: '+' };
const words = { same: '', gap: '', removed: 'Removed: ', added: 'Added: ' };

interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  /** Number of unchanged lines around changes; default: all. */
  readonly around?: number;
}

/** The removed and added lines of a text; also in words, for users who do not see colours. */
export function DiffView({ before, after, around = Number.POSITIVE_INFINITY }: DiffViewProps) {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === 'same')) return <p class="soft">No difference.</p>;
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
