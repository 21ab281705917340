import type { Annotations, FoundObject } from '@cadastre/proto/search';
import type { Call } from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';
import type { Found } from '../run/found.js';
import { managedOf } from './managed.js';
import type { CheckRoute, DescribeHolders, HolderAnswer } from './ports.js';

/** What annotations are made from. */
export interface Annotators {
  readonly index: SearchIndex;
  readonly describeHolders: DescribeHolders;
  readonly checkRoute: CheckRoute;
  /** Maintainers of the operator, lower case. */
  readonly operators: ReadonlySet<string>;
}

/** What is said about an object besides the object. */
export type Remarks = Pick<
  FoundObject,
  'resourceHolder' | 'abuseContact' | 'managed' | 'managedAttributes' | 'messages'
>;

const holderTypes: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'aut-num', 'organisation']);

/** The remarks about each object of a page, in its order. */
export async function remarksOn(
  page: readonly Found[],
  wanted: Annotations,
  annotators: Annotators,
  call: Call,
): Promise<Remarks[]> {
  const [holders, managed] = await Promise.all([
    holdersOf(page, wanted, annotators, call),
    wanted.managedAttributes
      ? Promise.all(page.map((one) => managedOf(one, annotators.index, annotators.operators, call.signal)))
      : [],
  ]);
  return page.map((one, position) => ({
    resourceHolder: holders.get(one)?.resourceHolder,
    abuseContact: holders.get(one)?.abuseContact,
    managed: managed[position]?.managed,
    managedAttributes: [...(managed[position]?.attributes ?? [])],
    messages: wanted.roaCheck ? routeMessages(one, annotators.checkRoute) : [],
  }));
}

async function holdersOf(
  page: readonly Found[],
  { resourceHolder, abuseContact }: Annotations,
  { describeHolders }: Annotators,
  call: Call,
): Promise<Map<Found, HolderAnswer>> {
  const asked = page.filter((one) => holderTypes.has(one.stored.type));
  if (asked.length === 0 || !(resourceHolder || abuseContact)) return new Map();
  const answers = await describeHolders(
    asked.map((one) => one.stored),
    { resourceHolder, abuseContact },
    call,
  );
  return new Map(asked.map((one, position) => [one, answers[position] ?? {}]));
}

function routeMessages({ stored, object }: Found, checkRoute: CheckRoute): Remarks['messages'] {
  return stored.type === 'route' || stored.type === 'route6' ? [...checkRoute(object)] : [];
}
