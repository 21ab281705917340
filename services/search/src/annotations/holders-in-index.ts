import type { HolderPolicy, Lineage, Registered } from '@cadastre/rpsl';
import type { ClientTurns } from '@cadastre/service';
import type { ReadState } from '../index-port.js';
import { occupiedRange } from '../ranges.js';
import { type DecidingObjects, decidingObjects } from '../resources/deciding-objects.js';
import {
  type AnnotatedObject,
  type DescribeHolders,
  type HolderAnswer,
  type HolderQuestion,
  holderIn,
  shownHolder,
} from './holders.js';

/**
 * Finds holders and abuse contacts in an index of this process, which has all that decides about them: the networks
 * around an object, their organisations, and the roles of both. All for a page are one turn. `elsewhere` finds those
 * that would read too much.
 */
export function holdersInIndex(
  readState: ReadState,
  turns: Pick<ClientTurns, 'read'>,
  policy: HolderPolicy,
  elsewhere: DescribeHolders,
): DescribeHolders {
  return async (page, question, call) => {
    const answers = new Map<AnnotatedObject, HolderAnswer | undefined>();
    await turns.read(async () => {
      for (const [source, objects] of Map.groupBy(page, ({ stored }) => stored.source)) {
        await readState(source, (reads) => {
          const deciding = decidingObjects(reads);
          for (const one of objects) answers.set(one, answerFor(one, question, policy, deciding));
        });
      }
    });
    const left = page.filter((one) => answers.get(one) === undefined);
    const others = left.length === 0 ? [] : await elsewhere(left, question, call);
    for (const [at, one] of left.entries()) answers.set(one, others[at]);
    return page.map((one) => answers.get(one));
  };
}

/**
 * The answer for one object, by itself if possible, else by the network around it, else by all networks around it;
 * undefined if that is too much.
 */
function answerFor(
  one: AnnotatedObject,
  question: HolderQuestion,
  policy: HolderPolicy,
  deciding: DecidingObjects,
): HolderAnswer | undefined {
  const answerIn = (lineage: Lineage, from: number) =>
    deciding.loadNamed(lineage.slice(from))
      ? shownHolder(holderIn(lineage, deciding.find, question, policy))
      : undefined;
  const self: Registered = { id: one.stored, object: one.object };
  const isWhole = ({ abuseContact, resourceHolder }: HolderAnswer) =>
    (!question.resourceHolder || resourceHolder !== undefined) &&
    (!question.abuseContact ||
      self.id.source !== policy.mainSource ||
      (abuseContact !== undefined && !abuseContact.suspect && abuseContact.orgId !== ''));
  const bySelf = deciding.isFull() ? undefined : answerIn([self], 0);
  if (bySelf === undefined || isWhole(bySelf)) return bySelf;
  const around = networksAround(one, deciding);
  if (around === undefined || around.length === 0) return around && bySelf;
  const byNearest = answerIn([self, around[0]!], 1);
  if (byNearest === undefined || isWhole(byNearest) || around.length === 1) return byNearest;
  return answerIn([self, ...around], 2);
}

/** The networks around an object, the nearest first; undefined if that is too much. */
function networksAround(
  { stored: { type, key }, object }: AnnotatedObject,
  deciding: DecidingObjects,
): readonly Registered[] | undefined {
  const range = type === 'inetnum' || type === 'inet6num' ? occupiedRange(object) : undefined;
  return range ? deciding.enclosing(type, range, key) : [];
}
