import type { ResourceDescription } from '@cadastre/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../design/button.js';
import { SelectField, TextField } from '../design/field.js';
import { amount, numberText } from '../design/format.js';
import { ObjectLink } from '../design/object-link.js';
import { OrderedHead } from '../design/ordered-head.js';
import { Table } from '../design/table.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { type BulkRow, isOpen } from './bulk-lookup.js';
import {
  type Column,
  columns,
  csvOf,
  firstView,
  jsonOf,
  type Kind,
  kindNames,
  noteOf,
  type TableView,
  viewRows,
} from './bulk-table.js';

const pageSize = 100;

const titles: Readonly<Record<Column, string>> = {
  resource: 'Resource',
  network: 'Network',
  holder: 'Holder',
  country: 'Country',
  abuse: 'Abuse contact',
  origin: 'Origin',
};

/** The rows of a lookup: filtered, sorted, page by page. */
export function BulkResult({ rows, isCut }: { readonly rows: readonly BulkRow[]; readonly isCut: boolean }) {
  const [view, setView] = useState(firstView);
  const [page, setPage] = useState(0);
  const shown = useMemo(() => viewRows(rows, view), [rows, view]);
  const last = Math.max(0, Math.ceil(shown.length / pageSize) - 1);
  const at = Math.min(page, last);
  const table = useRef<HTMLDivElement>(null);
  const turnTo = (next: number) => {
    setPage(next);
    table.current?.scrollIntoView();
  };
  const change = (next: Partial<TableView>) => {
    setView({ ...view, ...next });
    setPage(0);
  };
  const part = isCut || rows.some(isOpen) ? 'incomplete ' : '';
  return (
    <div class="card stack">
      <div class="bulk-tools">
        <TextField
          id="bulk-filter"
          label="Filter"
          type="search"
          value={view.filter}
          set={(filter) => change({ filter })}
        />
        <SelectField
          id="bulk-kind"
          label="Show"
          value={view.kind}
          options={kindNames}
          set={(kind) => change({ kind: kind as Kind })}
        />
        <span class="row">
          <SaveButton part={part} format="CSV" type="text/csv" text={() => csvOf(shown)} />
          <SaveButton part={part} format="JSON" type="application/json" text={() => jsonOf(shown)} />
        </span>
      </div>
      <div class="scrolls" ref={table}>
        <Table
          class="bulk-table stacks"
          caption="What the registry knows about each resource."
          columns={columns.map((column) => (
            <OrderedHead key={column} column={column} title={titles[column]} order={view} set={change} />
          ))}
        >
          {shown.slice(at * pageSize, (at + 1) * pageSize).map((row) => (
            <Row key={row.text} row={row} />
          ))}
        </Table>
      </div>
      <nav class="row spread" aria-label="Pages of the result">
        <span class="soft small" role="status">
          {countText(shown.length, rows.length, at)}
        </span>
        {last > 0 && (
          <span class="row">
            <Button class="slim" label="Previous" disabled={at === 0} act={() => turnTo(at - 1)} />
            <Button class="slim" label="Next" disabled={at === last} act={() => turnTo(at + 1)} />
          </span>
        )}
      </nav>
    </div>
  );
}

function countText(shown: number, all: number, page: number): string {
  const [first, last] = [page * pageSize + 1, Math.min(shown, (page + 1) * pageSize)];
  const of = shown === all ? '' : ` of ${numberText(all)}`;
  if (shown === 0) return `No rows${of}`;
  if (shown <= pageSize) return amount(shown, 'row') + of;
  return `Rows ${numberText(first)} to ${numberText(last)} of ${numberText(shown)}`;
}

function Row({ row }: { readonly row: BulkRow }) {
  const { text, count, answer } = row;
  const note = noteOf(row);
  return (
    <tr>
      <th scope="row">
        <Link to={paths.query(new URLSearchParams({ q: text }))} class="mono" text={text} />
        {count > 1 && (
          <span class="soft small" title={`${count} times in the text`}>
            {' '}
            ×{numberText(count)}
          </span>
        )}
      </th>
      {answer?.network === undefined ? (
        <td colSpan={columns.length - 1} class="soft">
          {answer === undefined ? '…' : note}
        </td>
      ) : (
        <Described answer={answer} network={answer.network} />
      )}
    </tr>
  );
}

interface DescribedProps {
  readonly answer: ResourceDescription;
  readonly network: NonNullable<ResourceDescription['network']>;
}

function Described({ answer, network }: DescribedProps) {
  const { 'resource-holder': holder, 'abuse-contact': contact, routes } = answer;
  const { source } = network;
  return (
    <>
      <td data-label={titles.network}>
        <ObjectLink name={network} />
        <span class="bulk-under small soft">{network.name}</span>
      </td>
      <td data-label={titles.holder}>
        {holder && <Link to={paths.object({ source, type: 'organisation', key: holder.key })}>{holder.name}</Link>}
      </td>
      <td data-label={titles.country}>{network.countries.join(' ')}</td>
      <td data-label={titles.abuse}>
        {contact && <a href={`mailto:${contact.email}`}>{contact.email}</a>}
        {contact?.suspect && <span class="bulk-under small soft">does not work</span>}
      </td>
      <td data-label={titles.origin}>
        {routes.map(({ prefix, origin, roa }) => (
          <span key={origin} class="bulk-route">
            <Link to={paths.query(new URLSearchParams({ q: origin }))} title={`Route ${prefix}`} class="mono">
              {origin}
            </Link>
            {roa !== undefined && <span class={`chip ${roaLooks[roa]}`}>{roaTexts[roa]}</span>}
          </span>
        ))}
      </td>
    </>
  );
}

const roaTexts = { valid: 'ROA valid', invalid: 'ROA invalid', 'not-found': 'no ROA' } as const;
const roaLooks = { valid: '', invalid: 'warn', 'not-found': 'plain' } as const;

interface SaveProps {
  /** Marks the files of an incomplete lookup; their rows say what they lack. */
  readonly part: string;
  readonly format: string;
  readonly type: string;
  readonly text: () => string;
}

/** Saves a text as a file. */
function SaveButton({ part, format, type, text }: SaveProps) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text()], { type }));
    const download = `lookup${part && '-incomplete'}.${format.toLowerCase()}`;
    Object.assign(document.createElement('a'), { href: url, download }).click();
    // The browser has begun to read it by then.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return <Button label={`Save ${part}${format}`} act={save} />;
}
