import { type ComponentChildren, Fragment } from 'preact';
import { findAbuseContact, type Geolocation, locate } from '../api/contacts.js';
import { Load } from '../design/load.js';
import { nameOfLocator, type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { resourceOf } from './address-space.js';

const numberResources = ['inetnum', 'inet6num', 'route', 'route6', 'aut-num'];

/** Whether objects of a type represent addresses or an AS number and so have a responsible holder. */
export function isNumberResource(type: string): boolean {
  return numberResources.includes(type);
}

interface FactsProps<T> {
  readonly heading: string;
  /** The name of the facts in a sentence. */
  readonly what: string;
  readonly load: (signal: AbortSignal) => Promise<T | undefined>;
  /** Says that there are none. */
  readonly none?: string;
  /** The terms of a list, with their definitions. */
  readonly children: (facts: T) => ComponentChildren;
}

/** What the registry knows about a resource beside its object. */
export function Facts<T>({ heading, none, children, ...rest }: FactsProps<T>) {
  return (
    <section class="card facts">
      <h2>{heading}</h2>
      <Load {...rest}>
        {(facts) => (facts === undefined ? <p class="soft">{none}</p> : <dl>{children(facts)}</dl>)}
      </Load>
    </section>
  );
}

/** The abuse contact of a resource. */
export function AbuseContact({ name }: { readonly name: ObjectName }) {
  const load = (signal: AbortSignal) => findAbuseContact(resourceOf(name), signal);
  return (
    <Facts heading="Abuse contact" what="the abuse contact" load={load} none="None is registered.">
      {({ email, suspect, key }) => (
        <>
          <dt>Mailbox</dt>
          <dd>
            <a href={`mailto:${email}`}>{email}</a>
            {suspect && <span class="chip warn">undeliverable</span>}
          </dd>
          <dt>Contact</dt>
          <dd>
            <Link to={paths.object({ source: name.source, type: 'role', key })}>{key}</Link>
          </dd>
        </>
      )}
    </Facts>
  );
}

/** The location of addresses. */
export function Location({ name }: { readonly name: ObjectName }) {
  const load = (signal: AbortSignal) => locate(resourceOf(name), signal);
  return (
    <Facts heading="Location" what="the location" load={load} none="No location is registered.">
      {({ location = [], language = [], geofeed = [] }) => (
        <>
          <Statements label="Coordinates" of={location.slice(0, 1)} />
          <Statements label="Language" of={language} />
          <Statements label="Geofeed" of={geofeed.slice(0, 1)} />
        </>
      )}
    </Facts>
  );
}

function Statements({ label, of }: { readonly label: string; readonly of: Geolocation['location'] }) {
  return of?.map(({ value, link }) => {
    const holder = nameOfLocator(link.href);
    return (
      <Fragment key={value}>
        <dt>{label}</dt>
        <dd>
          {value}
          {holder && (
            <span class="small soft">
              {' '}
              by <Link to={paths.object(holder)}>{holder.key}</Link>
            </span>
          )}
        </dd>
      </Fragment>
    );
  });
}
