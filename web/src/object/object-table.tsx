import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { findRoaStates, type RoaState } from '../api/roa-states.js';
import type { Query } from '../api/search.js';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import { Show, useLoad, Waiting } from '../design/load.js';
import { OrderedHead } from '../design/ordered-head.js';
import { Table } from '../design/table.js';
import { toggled } from '../design/toggled.js';
import { editTogether } from '../edit-many/selection.js';
import { type Moment, momentOf } from '../past/past.js';
import { namePath, paths } from '../paths.js';
import { Link } from '../router.js';
import { isRoute, resourceOf } from './address-space.js';
import { useFocusOnNewRow } from './new-row.js';
import {
  byObject,
  type Column,
  filterOf,
  isOrderOfRegistry,
  maxFilterLength,
  minFilterLength,
  type Row,
  type RowChoice,
  sortedRows,
} from './object-rows.js';
import './object-table.css';
import { dateText, numberText } from '../design/format.js';
import { ObjectLink } from '../design/object-link.js';
import { useRows } from './read-rows.js';
import { RoaText } from './roa-text.js';

/** Rows that are shown at first, and that each click adds. */
const step = 100;
/**
 * Objects to read in order to sort them, and that each click adds. Persons among them count against the daily limit of
 * the user, as in any search.
 */
const readStep = 2_000;
/** Objects that the registry compares with a filter before the table waits for a click: those of one request. */
const compareStep = 10_000;

const columns: readonly (readonly [Column, string])[] = [
  ['object', 'Object'],
  ['name', 'Name'],
  ['changed', 'Changed'],
];

interface ObjectTableProps {
  /** Finds the objects of the table. The table of another query needs another key. */
  readonly query: Query;
  readonly caption: string;
  /** Replaces the table when there are no objects. */
  readonly empty: string;
  /** How many objects there are; undefined if unknown. */
  readonly total: number | undefined;
  readonly choice: RowChoice;
  readonly choose: (choice: RowChoice) => void;
}

/** A table of objects that reads further ones on request. The registry filters them; to sort, it reads several pages. */
export function ObjectTable(props: ObjectTableProps) {
  const { query, caption, empty, total, choice, choose } = props;
  const chosen = useChosenRows(props);
  const { rows, visible, isComplete, isReading, isFiltered, error, retry } = chosen;
  const roaOf = useRoaTexts(visible);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const pick = (path: string) => setPicked((last) => toggled(last, path));
  const [body, focusNewRow] = useFocusOnNewRow(visible.length, !isReading);
  const moment = momentOf(query.asOf);
  // The field stays while the user empties it.
  const hasFilter = useRef(false);
  hasFilter.current ||= rows.length > 10 || choice.find !== '';
  const showMore = () => {
    if (isReading) return;
    focusNewRow();
    chosen.showMore();
  };
  if (rows.length === 0 && isComplete && !isReading && !isFiltered) return <p>{empty}</p>;
  return (
    <>
      {hasFilter.current && <Filter choice={choice} choose={choose} />}
      {rows.length > 0 && (
        <Table
          class="object-table"
          caption={caption}
          columns={columns.map(([column, title]) => (
            <OrderedHead
              key={column}
              column={column}
              title={title}
              order={choice}
              set={(order) => choose({ ...choice, ...order })}
            />
          ))}
          hidden={moment === undefined ? 'Choose, edit' : undefined}
          body={body}
        >
          {visible.map((row) => (
            <ObjectRow
              key={`${row.name.type} ${row.name.key}`}
              row={row}
              isOfOneType={choice.type !== ''}
              roa={roaOf(row)}
              moment={moment}
              isPicked={picked.has(namePath(row.name))}
              pick={pick}
            />
          ))}
        </Table>
      )}
      {rows.length === 0 && isReading && <Waiting what="the objects" />}
      {error !== undefined && <Show of={{ state: 'failed', error, retry }} what="the objects" children={() => null} />}
      <Foot chosen={chosen} total={total} picked={picked} canEdit={moment === undefined} showMore={showMore} />
    </>
  );
}

/** The rows of a table that its user chose, in their order, as far as they are read, and how to get more. */
function useChosenRows({ query, choice }: ObjectTableProps) {
  const [shown, setShown] = useState(step);
  const [maxRead, setMaxRead] = useState(readStep);
  const [maxCompared, setMaxCompared] = useState(compareStep);
  const isInOrder = choice.column === '' || isOrderOfRegistry(choice);
  const wanted = isInOrder ? shown : maxRead;
  const contains = filterOf(choice);
  const filtered = contains === undefined ? query : { ...query, contains };
  const reading = useRows(filtered, wanted, maxCompared);
  const { rows, compared, isComplete, isReading } = reading;
  // The registry has networks and routes by address, and others by key: AS10 before AS9. Longer tables stay so, because
  // their rows must not move.
  const ordered = isComplete && rows.length <= step ? rows.toSorted(byObject) : rows;
  const chosen = isInOrder ? ordered : sortedRows(ordered, choice);
  const isAllRead = isComplete || !isInOrder;
  const isStopped =
    !isReading && !isComplete && compared >= maxCompared && rows.length < wanted && chosen.length <= shown;
  const compareMore = () => setMaxCompared(compared + compareStep);
  return {
    ...reading,
    visible: chosen.slice(0, shown),
    chosen: chosen.length,
    isFiltered: contains !== undefined,
    isInOrder,
    isAllRead,
    /** Whether the registry has compared as many objects as it does without a click. */
    isStopped,
    hasMore: chosen.length > shown || isStopped || (rows.length + compared > 0 && !isAllRead),
    compareMore,
    showMore: () => {
      setShown(shown + step);
      compareMore();
    },
    readMore: () => {
      setMaxRead(maxRead + readStep);
      compareMore();
    },
  };
}

interface FootProps extends Pick<ObjectTableProps, 'total'> {
  readonly chosen: ReturnType<typeof useChosenRows>;
  /** The paths of the rows with a check. */
  readonly picked: ReadonlySet<string>;
  readonly canEdit: boolean;
  readonly showMore: () => void;
}

/** How many rows there are, and what to do with them. */
function Foot({ chosen, total, picked, canEdit, showMore }: FootProps) {
  const { rows, visible, compared, isComplete, isReading, isFiltered, isStopped, error } = chosen;
  const names = visible.map(({ name }) => name);
  const pickedNames = names.filter((name) => picked.has(namePath(name)));
  const which = pickedNames.length > 0 ? `the ${pickedNames.length} chosen` : `these ${names.length}`;
  const more = isStopped ? `Compare ${numberText(compareStep)} more` : `Show ${step} more`;
  return (
    <>
      <div class="row spread">
        <span class="small soft" role="status">
          {!isReading &&
            (rows.length > 0 || error === undefined) &&
            (isFiltered
              ? filterText({ visible: visible.length, matches: rows.length, compared, total, isComplete })
              : countText(visible.length, chosen.isAllRead ? chosen.chosen : total))}
        </span>
        {canEdit && visible.length > 1 && (
          <Button
            class="quiet"
            label={`Edit ${which} together`}
            act={() => editTogether(pickedNames.length > 0 ? pickedNames : names)}
          />
        )}
        {chosen.hasMore && (
          <Button label={isReading ? 'Reading …' : more} act={isStopped ? chosen.compareMore : showMore} />
        )}
      </div>
      {!chosen.isInOrder && rows.length > 0 && !isComplete && !isStopped && (
        <ReadingProgress
          read={rows.length}
          total={isFiltered ? undefined : total}
          isReading={isReading}
          readMore={chosen.readMore}
        />
      )}
    </>
  );
}

interface ReadingProgressProps {
  readonly read: number;
  readonly total: number | undefined;
  readonly isReading: boolean;
  readonly readMore: () => void;
}

/** How many objects a table has read in order to sort them. */
function ReadingProgress({ read, total, isReading, readMore }: ReadingProgressProps) {
  return (
    <p class="row small">
      {isReading ? 'Reading the objects to sort them' : 'Only the first objects, by type and address, are sorted'}:{' '}
      {numberText(read)}
      {total !== undefined && ` of ${numberText(total)}`}.
      <Button
        class="slim"
        label={isReading ? 'Reading …' : `Read ${numberText(readStep)} more`}
        act={() => isReading || readMore()}
      />
    </p>
  );
}

function countText(visible: number, all: number | undefined): string {
  if (visible === 0) return 'No matching object.';
  return all === undefined
    ? `${numberText(visible)} objects are shown.`
    : `${numberText(visible)} of ${numberText(all)} objects`;
}

interface FilterTextProps {
  readonly visible: number;
  readonly matches: number;
  readonly compared: number;
  readonly total: number | undefined;
  readonly isComplete: boolean;
}

/** What a filter has found so far, and among how many objects. */
function filterText({ visible, matches, compared, total, isComplete }: FilterTextProps): string {
  const all = total === undefined ? '' : ` of ${numberText(Math.max(compared, total))}`;
  const first = `${numberText(compared)}${all}`;
  if (isComplete) return `${countText(visible, matches)} (the filter has compared ${first})`;
  const shown = visible === matches ? '' : `${numberText(visible)} of `;
  return `${shown}${numberText(matches)} ${matches === 1 ? 'matches' : 'match'} in the first ${first}.`;
}

const pauseMs = 250;

function Filter({ choice, choose }: Pick<ObjectTableProps, 'choice' | 'choose'>) {
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The order may change during the pause.
  const latest = useRef(choice);
  latest.current = choice;
  const filter = (find: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => choose({ ...latest.current, find }), pauseMs);
  };
  return (
    <TextField
      id={id}
      label="Filter by name, key or address"
      type="search"
      hint={choice.find.trim().length === 1 ? `At least ${minFilterLength} characters` : ''}
      maxLength={maxFilterLength}
      defaultValue={choice.find}
      autocomplete="off"
      spellcheck={false}
      set={filter}
    />
  );
}

interface ObjectRowProps {
  readonly row: Row;
  /** Whether all objects have the same type. */
  readonly isOfOneType: boolean;
  readonly moment: Moment | undefined;
  /** The ROA state of a route. */
  readonly roa: ComponentChildren;
  readonly isPicked: boolean;
  readonly pick: (path: string) => void;
}

/** What to show of the ROA state of a row, if all rows are routes: an empty room until the state arrives. */
function useRoaTexts(rows: readonly Row[]): (row: Row) => ComponentChildren {
  const areRoutes = rows.every(({ name }) => isRoute(name.type));
  const prefixes = areRoutes ? [...new Set(rows.map(({ name }) => resourceOf(name)))] : [];
  const loaded = useLoad<RoaAnswer>(
    prefixes.join(),
    async (signal) => ({
      prefixes: new Set(prefixes),
      states: prefixes.length > 0 ? await findRoaStates(prefixes, signal) : new Map(),
    }),
    { keepsLast: true },
  );
  const known = loaded.state === 'loaded' ? loaded.value : undefined;
  if (!areRoutes) return () => undefined;
  return ({ name }) => (
    <span class="roa small soft">
      {known?.prefixes.has(resourceOf(name)) && <RoaText state={known.states.get(name.key.toLowerCase())} />}
    </span>
  );
}

/** The prefixes whose states the registry has returned, as far as it knows them. */
interface RoaAnswer {
  readonly prefixes: ReadonlySet<string>;
  readonly states: ReadonlyMap<string, RoaState>;
}

function ObjectRow({ row: { name, label, changed }, isOfOneType, moment, roa, isPicked, pick }: ObjectRowProps) {
  return (
    <tr>
      <td>
        {!isOfOneType && <span class="chip plain">{name.type}</span>} <ObjectLink name={name} past={moment} />
      </td>
      <td>
        {label} {roa}
      </td>
      <td class="changed">{dateText(changed)}</td>
      {moment === undefined && (
        <td>
          <input
            type="checkbox"
            aria-label={`Choose ${name.key}`}
            checked={isPicked}
            onChange={() => pick(namePath(name))}
          />
          <Link to={paths.edit(name)} class="button quiet slim" label={`Edit ${name.key}`}>
            Edit
          </Link>
        </td>
      )}
    </tr>
  );
}
