import { useIsSignedIn } from '../account/session.js';
import { isCopy, listSources } from '../api/metadata.js';
import { lookUp, lookUpPast, type ShownObject } from '../api/objects.js';
import { hasStatus, RequestFailed } from '../api/registry.js';
import { Show, useLoad } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { ChooseMoment } from '../past/choose-moment.js';
import { type Moment, momentOfPast, type Past, pastText, timeText } from '../past/past.js';
import { PastBanner } from '../past/past-banner.js';
import { isOfOtherRegions, type ObjectName, paths, rdapPath } from '../paths.js';
import { Link, navigate, useOutcome } from '../router.js';
import { isNetwork } from './address-space.js';
import { AddressTree, hasAddressTree } from './address-tree.js';
import { ChangeNotice } from './change-notice.js';
import { CopyObject } from './copy-object.js';
import { History } from './history.js';
import { HolderFacts } from './holder-facts.js';
import './object-page.css';
import { type RowChoice, readChoice, writeChoice } from './object-rows.js';
import { ObjectView } from './object-view.js';
import { OutcomeNotice } from './outcome-notice.js';
import { RdapView } from './rdap-view.js';
import { Referrers } from './referrers.js';
import { AbuseContact, isNumberResource, Location } from './resource-facts.js';
import { SetMembers } from './set-members.js';
import { hasMembers } from './set-rows.js';

interface ObjectPageProps {
  readonly name: ObjectName;
  readonly view: string;
  /** The earlier state that the page shows; undefined for the present. */
  readonly past: Past | undefined;
  /** The parameters of the address, some of which belong to the view. */
  readonly query: URLSearchParams;
}

/** One object: its attributes, its address tree, its history and its referrers; now, or in the past. */
export function ObjectPage({ name, view, past, query }: ObjectPageProps) {
  const of = past ? pastText(past) : '';
  useTitle(past ? `${name.key}, ${of}` : name.key);
  // Visitors see the same as in results.
  const unfiltered = useIsSignedIn();
  const loaded = useLoad(past ? of : String(unfiltered), (signal) =>
    past ? lookUpPast(name, past, signal) : lookUp(name, unfiltered, signal),
  );
  const object = loaded.state === 'loaded' ? loaded.value : undefined;
  const isMissing = loaded.state === 'failed' && hasStatus(loaded.error, 404);
  const sources = useLoad('sources', listSources);
  // Most objects are of the main source, so nothing moves when the sources arrive.
  const isOfCopy = sources.state === 'loaded' && isCopy(name.source, sources.value);
  const shown = object?.name ?? name;
  const hasFacts = isNumberResource(name.type) && past === undefined && view === '';
  return (
    <div class="stack">
      <Head {...{ name, view, past, object, isMissing, isOfCopy }} />
      <div class={hasFacts ? 'with-facts' : 'stack'}>
        {hasFacts && <AbuseContact name={shown} />}
        <div class="stack">
          {view === 'history' ? (
            <History name={name} query={query} />
          ) : (
            <Show
              of={loaded}
              what="the object"
              failed={(error) => (past ? whyNoPast(past, error) : hasStatus(error, 404) && <NoObject name={name} />)}
            >
              {(found) => (
                <ViewOf object={found} view={view} moment={momentOfPast(past)} query={query} isOfCopy={isOfCopy} />
              )}
            </Show>
          )}
        </div>
        {hasFacts && (
          <div class="facts-below">
            {name.type !== 'aut-num' && <Location name={shown} />}
            <HolderFacts name={shown} />
          </div>
        )}
      </div>
    </div>
  );
}

interface HeadProps extends Omit<ObjectPageProps, 'query'> {
  /** Without it the actions only reserve their space, so that nothing moves when the object arrives. */
  readonly object: ShownObject | undefined;
  /** Whether there is no such object: then there are only views of what was, and of what names it. */
  readonly isMissing: boolean;
  readonly isOfCopy: boolean;
}

/** The title, what to do with the object, what has just happened to it, and its views. */
function Head(props: HeadProps) {
  const { name, view, past, object, isOfCopy } = props;
  const outcome = useOutcome();
  return (
    <header class="stack">
      <div class="row spread">
        <h1 class="row object-title">
          <span class="chip">{name.type}</span>
          <span class="mono">{(object?.name ?? name).key}</span>
          {(isOfCopy || isOfOtherRegions(name.source)) && <span class="chip plain">{name.source}</span>}
        </h1>
        <Actions {...props} />
      </div>
      {past === undefined && <OutcomeNotice name={name} outcome={outcome} />}
      {object && past === undefined && <ChangeNotice name={object.name} />}
      <PastBanner now={paths.object(name, view)}>
        {past && <WhatIsShown past={past} object={object} isObject={view === ''} />}
      </PastBanner>
      <Views {...props} />
      {(past || view === 'history') && <ChooseMoment key={past && pastText(past)} {...props} />}
    </header>
  );
}

function Actions({ name, past, object }: HeadProps) {
  return (
    <div class={`row object-actions ${object ? '' : 'unseen'}`}>
      <CopyObject name={name} past={past} />
      {past === undefined ? (
        <>
          {isNetwork(name.type) && <Link class="button slim" to={paths.reverseZones(name.key)} text="Reverse zones" />}
          <Link class="button slim" to={paths.create(name.type, { like: name })} text="Use as template" />
          <Link class="button slim" to={paths.edit(name)} text="Edit" />
        </>
      ) : (
        object?.version !== undefined && (
          <Link class="button slim" to={paths.edit(name, object.version)} text="Restore this version" />
        )
      )}
    </div>
  );
}

function Views({ name, view, past, isMissing, isOfCopy }: HeadProps) {
  const { type } = name;
  const moment = momentOfPast(past);
  const isPresent = past === undefined && !isMissing;
  const views: readonly (readonly [view: string, title: string, isThere: boolean, past: Past | undefined])[] = [
    ['', 'Object', true, past],
    ['tree', 'Address tree', hasAddressTree(type) && !isMissing, moment],
    ['members', 'Members', hasMembers(type) && isPresent, undefined],
    ['history', 'History', true, undefined],
    ['referrers', 'Referred to by', true, moment],
    ['rdap', 'RDAP', !isOfCopy && rdapPath(name) !== undefined && isPresent, undefined],
  ];
  return (
    <nav class="object-views" aria-label="Views of this object">
      {views.map(
        ([id, title, isThere, of]) =>
          isThere && <Link key={id} to={paths.object(name, id, of)} current={view === id} text={title} />,
      )}
    </nav>
  );
}

interface WhatIsShownProps extends Pick<HeadProps, 'object'> {
  readonly past: Past;
  /** Whether the page shows the object itself. */
  readonly isObject: boolean;
}

/** The text of the banner of an earlier state. */
function WhatIsShown({ past, object, isObject }: WhatIsShownProps) {
  const written = object?.attributes.find(({ name }) => name === 'last-modified')?.value;
  const isMoment = 'as-of' in past;
  return (
    <>
      <p>
        {object ? 'This is ' : 'This page is about '}
        {isMoment && 'the state of '}
        <strong>{pastText(past)}</strong>
        {object && isMoment && `: version ${object.version}`}
        {written && `, of ${timeText(written)}`}.
      </p>
      {isObject && <p class="small">Earlier states leave out e-mail addresses and contacts.</p>}
    </>
  );
}

interface ViewOfProps {
  readonly object: ShownObject;
  readonly view: string;
  readonly moment: Moment | undefined;
  readonly query: URLSearchParams;
  /** Whether its source is a copy of another registry, of which RDAP has nothing. */
  readonly isOfCopy: boolean;
}

function ViewOf({ object, view, moment, query, isOfCopy }: ViewOfProps) {
  if (view === 'tree') return <AddressTree name={object.name} moment={moment} />;
  if (view === 'members' && moment === undefined && hasMembers(object.name.type)) {
    return <SetMembers name={object.name} />;
  }
  const rdap = isOfCopy ? undefined : rdapPath(object.name);
  if (view === 'rdap' && rdap) return <RdapView path={rdap} />;
  if (view === 'referrers') return <ReferrersView object={object} moment={moment} query={query} />;
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
      <ObjectView object={object} moment={moment} />
    </div>
  );
}

/** The objects that refer to the object; the address has the choices of the user. */
function ReferrersView({ object: { name }, moment, query }: Pick<ViewOfProps, 'object' | 'moment' | 'query'>) {
  const choice = readChoice(query);
  const choose = (next: RowChoice) =>
    // Back leads to another type, and skips filters and orders.
    navigate(paths.object(name, 'referrers', moment, writeChoice(next)), { replace: next.type === choice.type });
  if (moment) return <p class="card">The past cannot be searched for what refers to an object.</p>;
  return <Referrers name={name} choice={choice} choose={choose} />;
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

/** Why there is no earlier state; undefined for other failures. */
function whyNoPast(past: Past, error: unknown) {
  if (!(error instanceof RequestFailed)) return undefined;
  const heading = noPastHeadings(past)[error.status];
  if (heading === undefined) return undefined;
  return (
    <div class="card stack">
      <h2>{heading}</h2>
      <Messages messages={error.messages.filter(({ text }) => !text.startsWith('ERROR:101'))} />
    </div>
  );
}

/** By the status of the response. */
function noPastHeadings(past: Past): Readonly<Record<number, string>> {
  if ('version' in past) return { 400: 'There is no such version', 404: 'There is no such version' };
  return {
    400: 'There is no such moment',
    404: 'The object did not exist then',
    410: 'The registry no longer has this state',
  };
}
