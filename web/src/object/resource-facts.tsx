import { findAbuseContact, type GeoStatement, locate } from '../api/contacts.js';
import { Show, useLoad } from '../design/load.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import { resourceOf } from './address-space.js';

const numberResources = ['inetnum', 'inet6num', 'route', 'route6', 'aut-num'];

/** Whether objects of a type represent addresses or an AS number and so have a responsible holder. */
export function isNumberResource(type: string): boolean {
  return numberResources.includes(type);
}

/** The abuse contact of a resource. */
export function AbuseContact({ name }: { readonly name: ObjectName }) {
  const resource = resourceOf(name);
  const loaded = useLoad(resource, (signal) => findAbuseContact(resource, signal));
  return (
    <section class="card facts">
      <h2>Abuse contact</h2>
      <Show of={loaded} what="the abuse contact">
        {(contact) =>
          contact ? (
            <dl>
              <dt>Mailbox</dt>
              <dd>
                <a href={`mailto:${contact.email}`}>{contact.email}</a>
                {contact.suspect && <span class="chip warn">undeliverable</span>}
              </dd>
              <dt>Contact</dt>
              <dd>
                <Link to={paths.object({ source: name.source, type: 'role', key: contact.key })}>{contact.key}</Link>
              </dd>
            </dl>
          ) : (
            <p class="soft">None is registered.</p>
          )
        }
      </Show>
    </section>
  );
}

/** The location of addresses. */
export function Location({ name }: { readonly name: ObjectName }) {
  const resource = resourceOf(name);
  const loaded = useLoad(resource, (signal) => locate(resource, signal));
  return (
    <section class="card facts">
      <h2>Location</h2>
      <Show of={loaded} what="the location">
        {(found) =>
          found ? (
            <dl>
              {found.location && <Statement label="Coordinates" statement={found.location} />}
              {found.languages.map((language) => (
                <Statement key={language.value} label="Language" statement={language} />
              ))}
              {found.geofeed && <Statement label="Geofeed" statement={found.geofeed} />}
            </dl>
          ) : (
            <p class="soft">No location is registered.</p>
          )
        }
      </Show>
    </section>
  );
}

interface StatementProps {
  readonly label: string;
  readonly statement: GeoStatement;
}

function Statement({ label, statement: { value, holder } }: StatementProps) {
  return (
    <>
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
    </>
  );
}
