import type { ComponentChildren, Ref, VNode } from 'preact';

interface TableProps {
  readonly class?: string;
  /** Its name, for screen readers alone. */
  readonly caption?: string;
  /** The heads of its columns: their names, or elements. */
  readonly columns: readonly (string | VNode)[];
  /** The head of one more column, for screen readers alone. */
  readonly hidden?: string | undefined;
  readonly body?: Ref<HTMLTableSectionElement>;
  readonly children: ComponentChildren;
}

/** A table with the heads of its columns. */
export function Table({ class: look, caption, columns, hidden, body, children }: TableProps) {
  return (
    <table class={look}>
      {caption && <caption class="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map((head) =>
            typeof head === 'string' ? (
              <th key={head} scope="col">
                {head}
              </th>
            ) : (
              head
            ),
          )}
          {hidden !== undefined && (
            <th scope="col">
              <span class="visually-hidden">{hidden}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </table>
  );
}
