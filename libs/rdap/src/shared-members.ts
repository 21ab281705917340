import { cleanValue, firstOf, isFiltered, type RpslObject } from '@cadastre/rpsl';
import { contactsOf } from './contacts.js';
import type { Contact, Event, Redacted, Remark } from './documents.js';
import { shownSource } from './links.js';
import { isHidden, withheldValues } from './redaction.js';
import type { Nested, Registry, Related, Requested, Stored } from './registry.js';
import { filledValues } from './values.js';

/** The members that the documents of all types have. */
interface SharedMembers {
  readonly entities?: readonly Contact[];
  readonly events?: readonly Event[];
  readonly remarks?: readonly Remark[];
  readonly lang?: string;
}

/** What the documents of all types have, with `related` their contacts as well. */
export function sharedMembers(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  related: Related | undefined,
): Nested<SharedMembers> {
  const { object } = stored;
  const { contacts, redacted } = related
    ? contactsOf(registry, requested, stored, related)
    : { contacts: [], redacted: [] as Redacted[] };
  const events = eventsOf(object);
  const description = descriptionOf(stored);
  const [language] = filledValues(stored, 'language');
  return {
    document: {
      ...(contacts.length > 0 && { entities: contacts }),
      ...(events.length > 0 && { events }),
      ...(description.length > 0 && { remarks: [{ description }] }),
      ...(language !== undefined && { lang: language.toLowerCase() }),
    },
    redacted: [...redacted, ...withheldValues(stored, 'language', 'lang')],
    filtered: redacted.length > 0 || object.attributes.some(isHidden) || isFiltered(object),
    sources: [shownSource(stored)],
    notices: [],
  };
}

/** The lines of `descr`, then those of `remarks`. */
export function descriptionOf(stored: Stored): string[] {
  return [...filledValues(stored, 'descr'), ...filledValues(stored, 'remarks')];
}

function eventsOf(object: RpslObject): Event[] {
  const events: Event[] = [];
  const created = timeOf(object, 'created');
  if (created !== undefined) events.push({ eventAction: 'registration', eventDate: created });
  const lastModified = timeOf(object, 'last-modified');
  if (lastModified !== undefined) events.push({ eventAction: 'last changed', eventDate: lastModified });
  return events;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The time in a generated attribute; loaded objects may have anything there. */
function timeOf(object: RpslObject, name: string): string | undefined {
  const attribute = firstOf(object, name);
  if (attribute === undefined) return undefined;
  const time = cleanValue(attribute);
  return instant.test(time) && !Number.isNaN(Date.parse(time)) ? time : undefined;
}
