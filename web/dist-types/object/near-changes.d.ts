import type { DiffLine } from '@cadastre/rpsl';
/** A shown line, or a gap. */
export interface ShownLine {
    readonly kind: DiffLine['kind'] | 'gap';
    readonly text: string;
}
/** The changed lines with some lines around them; each gap becomes one line of kind `gap`. */
export declare function nearChanges(lines: readonly DiffLine[], around: number): readonly ShownLine[];
