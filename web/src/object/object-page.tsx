import { lookUp, type ShownObject } from '../api/objects.js';
import { RequestFailed } from '../api/registry.js';
import { Show, useLoad } from '../design/load.js';
import { useTitle } from '../design/title.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { AddressTree, hasAddressTree } from './address-tree.js';
import { ChangeNotice } from './change-notice.js';
import { CopyObject } from './copy-object.js';
import { History } from './history.js';
import './object-page.css';
import { ObjectView } from './object-view.js';
import { Referrers } from './referrers.js';
import { isNumberResource, ResourceFacts } from './resource-facts.js';

type View = '' | 'tree' | 'history' | 'referrers';

/** One object: its attributes, its address tree, its history and its referrers. */
export function ObjectPage({ name, view }: { readonly name: ObjectName; readonly view: string }) {
  useTitle(name.key);
  const loaded = useLoad(namePath(name), (signal) => lookUp(name, signal));
  const shown = loaded.state === 'loaded' ? loaded.value.name : name;
  return (
    <div class="stack">
      <header class="stack">
        <div class="row spread">
          <h1 class="row object-title">
            <span class="chip">{name.type}</span>
            <span class="mono">{shown.key}</span>
            <span class="chip plain">{name.source}</span>
          </h1>
          <div class="row">
            {loaded.state === 'loaded' && <CopyObject name={name} />}
            <Link class="button slim" to={paths.edit(name)}>
              Edit
            </Link>
          </div>
        </div>
        {loaded.state === 'loaded' && <ChangeNotice name={loaded.value.name} />}
        <nav class="object-views" aria-label="Views of this object">
          <ViewLink name={name} view="" present={view} label="Object" />
          {hasAddressTree(name.type) && <ViewLink name={name} view="tree" present={view} label="Address tree" />}
          <ViewLink name={name} view="history" present={view} label="History" />
          <ViewLink name={name} view="referrers" present={view} label="Referred to by" />
        </nav>
      </header>
      <div class={isNumberResource(name.type) ? 'beside' : 'stack'}>
        <div class="stack">
          {view === 'history' ? (
            <History name={name} />
          ) : (
            <Show of={loaded} what="the object" failed={(error) => isNotFound(error) && <NoObject name={name} />}>
              {(object) => <ViewOf object={object} view={view} />}
            </Show>
          )}
        </div>
        {isNumberResource(name.type) && <ResourceFacts name={shown} />}
      </div>
    </div>
  );
}

function ViewOf({ object, view }: { readonly object: ShownObject; readonly view: string }) {
  if (view === 'tree') return <AddressTree name={object.name} />;
  if (view === 'referrers') return <Referrers name={object.name} />;
  return (
    <div class="card stack">
      {object.tags.length > 0 && (
        <p class="row">
          {object.tags.map(({ id, data }) => (
            <span key={id} class="chip warn" title={data}>
              {id}
            </span>
          ))}
        </p>
      )}
      <ObjectView object={object} />
    </div>
  );
}

function ViewLink({ name, view, present, label }: { name: ObjectName; view: View; present: string; label: string }) {
  return (
    <Link to={paths.object(name, view)} current={view === present}>
      {label}
    </Link>
  );
}

function isNotFound(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === 404;
}

function NoObject({ name }: { readonly name: ObjectName }) {
  return (
    <div class="card">
      <h2>Object not found</h2>
      <p>
        The registry has no {name.type} {name.key} in the source {name.source}. It may have been deleted: its{' '}
        <Link to={paths.object(name, 'history')}>history</Link> shows whether it existed.
      </p>
    </div>
  );
}
