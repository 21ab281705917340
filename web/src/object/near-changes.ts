import type { DiffLine } from '@cadastre/rpsl';

/** A shown line, or a gap. */
export interface ShownLine {
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
