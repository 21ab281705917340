import './diff-view.css';
import { diffLines } from './line-diff.js';

const marks = { same: ' ', removed: '−', added: '+' };
const words = { same: '', removed: 'Removed: ', added: 'Added: ' };

/** What was removed from a text and what was added to it; in words too for those who do not see colours. */
export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === 'same')) return <p class="soft">Nothing differs.</p>;
  return (
    <ol class="list diff">
      {lines.map(({ kind, text }, index) => (
        <li key={index} class={kind}>
          <span aria-hidden="true">{marks[kind]}</span>
          <span class="visually-hidden">{words[kind]}</span>
          {text}
        </li>
      ))}
    </ol>
  );
}
