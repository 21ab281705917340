import './ordered-head.css';

/** The column that orders a table; empty for the order in which the rows come. */
export interface Order<Column extends string> {
  readonly column: Column | '';
  readonly isDescending: boolean;
}

/** The order after a click on the head of a column: first ascending, then descending, then unordered. */
export function orderAfter<Column extends string>(order: Order<Column>, clicked: Column): Order<Column> {
  if (order.column !== clicked) return { column: clicked, isDescending: false };
  return order.isDescending ? { column: '', isDescending: false } : { column: clicked, isDescending: true };
}

interface OrderedHeadProps<Column extends string> {
  readonly column: Column;
  readonly title: string;
  readonly order: Order<Column>;
  readonly set: (order: Order<Column>) => void;
}

/** The head of a column that orders the table. */
export function OrderedHead<Column extends string>({ column, title, order, set }: OrderedHeadProps<Column>) {
  const direction = order.column !== column ? 'none' : order.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={column} aria-sort={direction}>
      <button type="button" class="quiet slim" onClick={() => set(orderAfter(order, column))}>
        {title}
        <span aria-hidden="true">{{ none: '↕', ascending: '↑', descending: '↓' }[direction]}</span>
      </button>
    </th>
  );
}
