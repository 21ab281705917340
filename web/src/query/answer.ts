import { isWholeSpace, type Resource } from '@cadastre/rpsl';
import type { ShownAttribute, ShownObject } from '../api/objects.js';
import { addressesOf, isNetwork, isRoute } from '../object/address-space.js';
import { shortConflict } from '../object/roa-text.js';
import { namePath, type ObjectName } from '../paths.js';

/** A summary of the search result for an address, a range or an AS number. */
export interface Answer {
  /** The network or aut-num; undefined when only a route, or nothing but the whole address space, is registered. */
  readonly registered: ShownObject | undefined;
  /** Its netname or as-name. */
  readonly title: string;
  /** The organisation; without one the first description. */
  readonly holder: { readonly text: string; readonly name?: ObjectName } | undefined;
  readonly abuse: ShownObject['abuseContact'];
  /** Codes of countries (ISO 3166): those of the network, or else that of its organisation. */
  readonly countries: readonly string[];
  readonly routes: readonly AnsweredRoute[];
  readonly contacts: readonly Contact[];
}

/** A route to the addresses. */
export interface AnsweredRoute {
  readonly name: ObjectName;
  readonly prefix: string;
  /** AS number. */
  readonly origin: string;
  /** How it conflicts with a ROA; empty when no conflict is known. */
  readonly conflict: string;
}

/** Who is responsible for the resource. */
export interface Contact {
  readonly key: string;
  /** Absent when the object does not exist. */
  readonly name: ObjectName | undefined;
  /** Of the person or role; empty when the result does not show it. */
  readonly title: string;
  /** The attributes that name it. */
  readonly as: readonly string[];
}

const maxContacts = 6;

/**
 * Summarises the found objects; undefined when they have nothing for a summary. That an AS number is not registered is
 * one.
 */
export function answerOf(resource: Resource, objects: readonly ShownObject[]): Answer | undefined {
  const types = 'as' in resource ? ['aut-num'] : ['inetnum', 'inet6num'];
  const registered = objects.find(({ name }) => types.includes(name.type) && !isRoot(name));
  const routes = objects.filter(({ name }) => isRoute(name.type)).map(routeOf);
  const isOneAs = 'as' in resource && resource.as.first === resource.as.last;
  const isEmpty = registered === undefined && routes.length === 0 && !objects.some(({ name }) => isRoot(name));
  if (isEmpty && !isOneAs) return undefined;
  const organisation = registered && namedBy(registered, 'org', objects);
  const countries = valuesOf(registered, 'country');
  return {
    registered,
    title: first(registered, 'netname') ?? first(registered, 'as-name') ?? '',
    holder: registered && holderOf(registered, organisation),
    abuse: registered?.abuseContact,
    countries: countries.length > 0 ? countries : valuesOf(organisation, 'country'),
    routes,
    contacts: registered ? contactsOf(registered, objects) : [],
  };
}

/** The objects, with those first that answer a question about an AS number. */
export function answersFirst(resource: Resource | undefined, objects: readonly ShownObject[]): readonly ShownObject[] {
  if (resource === undefined || !('as' in resource)) return objects;
  const isAnswer = ({ name }: ShownObject) => name.type === 'aut-num';
  return [...objects.filter(isAnswer), ...objects.filter((object) => !isAnswer(object))];
}

/** `isRoot` of libs/rpsl would bring the readers of all keys with it. */
function isRoot(name: ObjectName): boolean {
  const range = isNetwork(name.type) ? addressesOf(name) : undefined;
  return range !== undefined && isWholeSpace(range);
}

function routeOf(route: ShownObject): AnsweredRoute {
  const warning = route.messages?.find(({ text }) => text.includes('ROA'));
  return {
    name: route.name,
    prefix: first(route, route.name.type) ?? route.name.key,
    origin: first(route, 'origin') ?? '',
    conflict: warning ? shortConflict(warning.text) : '',
  };
}

function holderOf({ name, holder, attributes }: ShownObject, organisation: ShownObject | undefined): Answer['holder'] {
  if (holder) return { text: holder.name, name: { source: name.source, type: 'organisation', key: holder.key } };
  const text = first(organisation, 'org-name');
  if (organisation && text) return { text, name: organisation.name };
  const descr = attributes.find((attribute) => attribute.name === 'descr')?.value;
  return descr ? { text: descr } : undefined;
}

function contactsOf(registered: ShownObject, objects: readonly ShownObject[]): Contact[] {
  const contacts = new Map<string, Contact>();
  for (const { name: as, value, target } of registered.attributes) {
    if (as !== 'admin-c' && as !== 'tech-c') continue;
    const object = target && objectNamed(target, objects);
    const title = first(object, 'person') ?? first(object, 'role') ?? '';
    const contact = contacts.get(value.toUpperCase()) ?? { key: value, name: target, title, as: [] };
    contacts.set(value.toUpperCase(), { ...contact, as: [...new Set([...contact.as, as])] });
  }
  return [...contacts.values()].slice(0, maxContacts);
}

/** The object that an attribute names, if the result shows it. */
function namedBy(object: ShownObject, attribute: string, objects: readonly ShownObject[]): ShownObject | undefined {
  const target = object.attributes.find(({ name }) => name === attribute)?.target;
  return target && objectNamed(target, objects);
}

/** Keys of references may be written in another letter case. */
function objectNamed(name: ObjectName, objects: readonly ShownObject[]): ShownObject | undefined {
  const path = namePath(name).toUpperCase();
  return objects.find((object) => namePath(object.name).toUpperCase() === path);
}

function valuesOf(object: ShownObject | undefined, attribute: string): string[] {
  const isNamed = ({ name }: ShownAttribute) => name === attribute;
  return object?.attributes.filter(isNamed).map(({ value }) => value) ?? [];
}

function first(object: ShownObject | undefined, attribute: string): string | undefined {
  return valuesOf(object, attribute)[0];
}
