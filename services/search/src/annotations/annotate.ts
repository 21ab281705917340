import type { Annotations, FoundObject } from '@cadastre/proto/search';
import type { CheckRoute } from '@cadastre/roa';
import type { Call } from '@cadastre/service';
import type { IndexReads } from '../index-port.js';
import type { AnnotatedObject, DescribeHolders, HolderAnswer } from './holders.js';
import { managedOf } from './managed.js';

/** The sources of annotations. */
export interface Annotators {
  readonly index: IndexReads;
  readonly describeHolders: DescribeHolders;
  readonly checkRoute: CheckRoute;
  /** Maintainers of the operator, lower case. */
  readonly operators: ReadonlySet<string>;
}

/** The annotations of an object. */
export type FoundAnnotations = Pick<
  FoundObject,
  'resourceHolder' | 'abuseContact' | 'managed' | 'managedAttributes' | 'managedMaintainers' | 'messages'
>;

const holderTypes: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'aut-num', 'organisation']);

const nothing: FoundAnnotations = {
  resourceHolder: undefined,
  abuseContact: undefined,
  managed: undefined,
  managedAttributes: [],
  managedMaintainers: [],
  messages: [],
};

/**
 * The annotations of each object of a page, in its order. Conflicts with ROAs also of the objects that `marks` returns.
 */
export async function annotate(
  page: readonly AnnotatedObject[],
  wanted: Annotations,
  annotators: Annotators,
  call: Call,
  marks: (one: AnnotatedObject) => boolean = () => false,
): Promise<FoundAnnotations[]> {
  const messagesOf = (one: AnnotatedObject) => {
    const isRoute = one.stored.type === 'route' || one.stored.type === 'route6';
    return isRoute && (wanted.roaCheck || marks(one)) ? [...annotators.checkRoute(one.object)] : [];
  };
  if (!Object.values(wanted).includes(true)) {
    return page.map((one) => {
      const messages = messagesOf(one);
      return messages.length === 0 ? nothing : { ...nothing, messages };
    });
  }
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
    managedMaintainers: [...(managed[position]?.maintainers ?? [])],
    messages: messagesOf(one),
  }));
}

async function holdersOf(
  page: readonly AnnotatedObject[],
  { resourceHolder, abuseContact }: Annotations,
  { describeHolders }: Annotators,
  call: Call,
): Promise<Map<AnnotatedObject, HolderAnswer>> {
  const requested = page.filter((one) => holderTypes.has(one.stored.type));
  if (requested.length === 0 || !(resourceHolder || abuseContact)) return new Map();
  const answers = await describeHolders(requested, { resourceHolder, abuseContact }, call);
  return new Map(requested.map((one, position) => [one, answers[position] ?? {}]));
}
