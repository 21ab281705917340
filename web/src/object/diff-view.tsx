import './diff-view.css';
import { type DiffLine, diffLines } from '@cadastre/rpsl';

const marks = { same: ' ', gap: ' ', removed: '−', added: '+' };
const words = { same: '', gap: '', removed: 'Removed: ', added: 'Added: ' };

/** Two texts to compare. */
export interface DiffViewProps {
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

interface ShownLine {
  readonly kind: DiffLine['kind'] | 'gap';
  readonly text: string;
}

/** The changed lines with some lines around them; each gap becomes one line of kind `gap`. */
export function nearChanges(lines: readonly DiffLine[], around: number): readonly ShownLine[] {
  if (around >= lines.length) return lines;
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same');
  return lines.flatMap((line, index): ShownLine[] => {
    if (isNear(index)) return [line];
    return index === 0 || isNear(index - 1) ? [{ kind: 'gap', text: '…' }] : [];
  });
}
