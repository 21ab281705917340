import type { VersionEntry } from '@cadastre/client';
import { useState } from 'preact/hooks';
import { hasStatus } from '../api/registry.js';
import { isDeletion, listVersions, versionText } from '../api/versions.js';
import { Button } from '../design/button.js';
import { Load, Show, useLoad } from '../design/load.js';
import { Table } from '../design/table.js';
import { type ObjectName, paths } from '../paths.js';
import { Link, navigate } from '../router.js';
import { type ComparedVersions, comparedVersions, comparisonParameters, hiddenAttributes } from './comparison.js';
import { DiffView, type DiffViewProps } from './diff-view.js';
import './history.css';
import { dateText } from '../design/format.js';
import { useFocusOnNewRow } from './new-row.js';

/** Versions that are shown at first, and that each click adds. */
const step = 50;

interface HistoryProps {
  readonly name: ObjectName;
  readonly query: URLSearchParams;
}

/** The versions of an object, and the difference of any two. */
export function History({ name, query }: HistoryProps) {
  const nothing = (error: unknown) =>
    hasStatus(error, 404) && <p class="card">The registry keeps no versions of it.</p>;
  return (
    <Load load={(signal) => listVersions(name, signal)} what="the versions" failed={nothing}>
      {(versions) => <Versions name={name} versions={versions} compared={comparedVersions(query, versions)} />}
    </Load>
  );
}

interface VersionsProps {
  readonly name: ObjectName;
  /** Newest first. */
  readonly versions: readonly VersionEntry[];
  readonly compared: ComparedVersions;
}

function Versions({ name, versions, compared }: VersionsProps) {
  const [shown, setShown] = useState(step);
  const [body, focusNewRow] = useFocusOnNewRow(Math.min(shown, versions.length), true);
  const showMore = () => {
    focusNewRow();
    setShown(shown + step);
  };
  return (
    <>
      <div class="card stack">
        <Table
          class="versions"
          caption="Versions, newest first. Choose two to compare."
          columns={['From', 'To', 'Version', 'Date', 'Operation']}
          hidden="Restore"
          body={body}
        >
          {versions.slice(0, shown).map((version, index) => (
            <VersionRow
              key={`${version.revision} ${version.operation}`}
              name={name}
              version={version}
              isCurrent={index === 0}
              isNew={version.revision === 1 || versions[index + 1]?.operation === 'DEL'}
              compared={compared}
            />
          ))}
        </Table>
        {versions.length > shown && (
          <div class="row spread">
            <span class="small soft">
              {shown} of {versions.length} versions
            </span>
            <Button label={`Show ${step} more`} act={showMore} />
          </div>
        )}
      </div>
      {compared.to > 0 && <Comparison name={name} compared={compared} />}
    </>
  );
}

interface VersionRowProps extends Omit<VersionsProps, 'versions'> {
  readonly version: VersionEntry;
  readonly isCurrent: boolean;
  /** Whether there was no object before it. */
  readonly isNew: boolean;
}

function VersionRow({ name, version, isCurrent, isNew, compared }: VersionRowProps) {
  const { revision, date, reason } = version;
  if (isDeletion(version)) {
    return (
      <tr>
        <td colSpan={3} />
        <td>{dateText(date)}</td>
        <td colSpan={2}>Deleted{reason && <span class="soft">: {reason}</span>}</td>
      </tr>
    );
  }
  return (
    <tr>
      <Choice name={name} revision={revision} side="from" compared={compared} />
      <Choice name={name} revision={revision} side="to" compared={compared} />
      <td>
        <Link to={paths.object(name, '', { version: String(revision) })} label={`Show version ${revision}`}>
          {revision}
        </Link>
      </td>
      <td>{dateText(date)}</td>
      <td>{isNew ? 'Created' : 'Changed'}</td>
      <td class="restore">
        {!isCurrent && (
          <Link class="button quiet slim" to={paths.edit(name, revision)} label={`Restore version ${revision}`}>
            Restore
          </Link>
        )}
      </td>
    </tr>
  );
}

interface ChoiceProps extends Omit<VersionsProps, 'versions'> {
  readonly revision: number;
  readonly side: 'from' | 'to';
}

function Choice({ name, revision, side, compared }: ChoiceProps) {
  const choose = () =>
    navigate(paths.object(name, 'history', undefined, comparisonParameters({ ...compared, [side]: revision })));
  const title = side === 'from' ? 'From' : 'To';
  return (
    <td>
      <label class="choice">
        <input type="radio" name={side} checked={compared[side] === revision} onChange={choose} />
        <span class="visually-hidden">
          {title} version {revision}
        </span>
      </label>
    </td>
  );
}

function Comparison({ name, compared: { from, to } }: Omit<VersionsProps, 'versions'>) {
  const loaded = useLoad(`${from} ${to}`, (signal) =>
    Promise.all([from === 0 ? '' : versionText(name, from, signal), versionText(name, to, signal)]),
  );
  return (
    <section class="card stack" aria-live="polite">
      <h2>{from === 0 ? `Version ${to}` : `From version ${from} to version ${to}`}</h2>
      <Show of={loaded} what="the versions">
        {([before, after]) => <Difference type={name.type} before={before} after={after} />}
      </Show>
    </section>
  );
}

/** Longer texts are shown only near their differences. */
const longText = 200;

function Difference({ type, before, after }: DiffViewProps & { readonly type: string }) {
  const hidden = hiddenAttributes(type, before, after);
  if (hidden !== undefined) {
    return (
      <p>
        Apart from the time of the change, these versions show the same. Versions leave out {hidden.join(', ')}: changes
        of these are not shown.
      </p>
    );
  }
  const isLong = after.split('\n').length > longText || before.split('\n').length > longText;
  return <DiffView before={before} after={after} {...(isLong && { around: 3 })} />;
}
