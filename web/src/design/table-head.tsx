interface TableHeadProps {
  readonly columns: readonly string[];
  /** The head of one more column, for screen readers alone. */
  readonly hidden?: string;
}

/** The heads of the columns of a table. */
export function TableHead({ columns, hidden }: TableHeadProps) {
  return (
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
  );
}
