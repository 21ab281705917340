import { useState } from 'preact/hooks';
import { RequestFailed } from '../api/registry.js';
import { listVersions, type Version, versionText } from '../api/versions.js';
import { dateText } from '../design/date-text.js';
import { Show, useLoad } from '../design/load.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { DiffView } from './diff-view.js';

/** The versions of an object, and the difference of any two. */
export function History({ name }: { readonly name: ObjectName }) {
  const loaded = useLoad('', (signal) => listVersions(name, signal));
  const nothing = (error: unknown) =>
    error instanceof RequestFailed && error.status === 404 && <p class="card">The registry keeps no versions of it.</p>;
  return (
    <Show of={loaded} what="the versions" failed={nothing}>
      {(versions) => <Versions name={name} versions={versions} />}
    </Show>
  );
}

function Versions({ name, versions }: { readonly name: ObjectName; readonly versions: readonly Version[] }) {
  const states = versions.filter(({ deleted }) => !deleted);
  const [newer, setNewer] = useState(states[0]?.revision ?? 0);
  const [older, setOlder] = useState(states[1]?.revision ?? 0);
  return (
    <>
      <div class="card scrolls">
        <table>
          <caption class="visually-hidden">Versions, newest first. Choose two to compare.</caption>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Date</th>
              <th scope="col">Operation</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <tr key={`${version.revision} ${version.date} ${version.deleted}`}>
                <td>{!version.deleted && <VersionLink name={name} revision={version.revision} />}</td>
                <td>{dateText(version.date)}</td>
                <td>{version.deleted ? 'Deleted' : version.revision === 1 ? 'Created' : 'Changed'}</td>
                <Choice version={version} side="From" chosen={older} choose={setOlder} />
                <Choice version={version} side="To" chosen={newer} choose={setNewer} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {newer > 0 && <Comparison name={name} older={older} newer={newer} />}
    </>
  );
}

function VersionLink({ name, revision }: { readonly name: ObjectName; readonly revision: number }) {
  return (
    <Link to={paths.object(name, '', { version: String(revision) })} label={`Show version ${revision}`}>
      {revision}
    </Link>
  );
}

interface ChoiceProps {
  readonly version: Version;
  readonly side: 'From' | 'To';
  readonly chosen: number;
  readonly choose: (revision: number) => void;
}

function Choice({ version: { revision, deleted }, side, chosen, choose }: ChoiceProps) {
  if (deleted) return <td />;
  return (
    <td>
      <input
        type="radio"
        name={side}
        aria-label={`${side} version ${revision}`}
        checked={chosen === revision}
        onChange={() => choose(revision)}
      />
    </td>
  );
}

function Comparison({
  name,
  older,
  newer,
}: {
  readonly name: ObjectName;
  readonly older: number;
  readonly newer: number;
}) {
  const loaded = useLoad(`${older} ${newer}`, (signal) =>
    Promise.all([older === 0 ? '' : versionText(name, older, signal), versionText(name, newer, signal)]),
  );
  return (
    <section class="card stack" aria-live="polite">
      <h2>{older === 0 ? `Version ${newer}` : `From version ${older} to version ${newer}`}</h2>
      <Show of={loaded} what="the versions">
        {([before, after]) => <DiffView before={before} after={after} />}
      </Show>
    </section>
  );
}
