import type { ComponentChildren, Ref } from 'preact';

interface TableProps {
  readonly class?: string;
  /** Its name, for screen readers alone. */
  readonly caption?: string;
  readonly columns: readonly string[];
  /** The head of one more column, for screen readers alone. */
  readonly hidden?: string;
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
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
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
