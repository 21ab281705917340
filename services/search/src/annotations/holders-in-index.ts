import type { HolderPolicy, Lineage, Registered } from '@cadastre/rpsl';
import type { ClientTurns } from '@cadastre/service';
import type { IndexReads } from '../index-port.js';
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
  index: Pick<IndexReads, 'query' | 'load'>,
  turns: Pick<ClientTurns, 'read'>,
  policy: HolderPolicy,
  elsewhere: DescribeHolders,
): DescribeHolders {
  return async (page, question, call) => {
    const answers = await turns.read(async () => {
      const deciding = decidingObjects(index, call.signal);
      const all: (HolderAnswer | undefined)[] = [];
      for (const one of page) all.push(await answerFor(one, question, policy, deciding));
      return all;
    });
    const left = page.filter((_, at) => answers[at] === undefined);
    if (left.length === 0) return answers;
    const others = (await elsewhere(left, question, call)).values();
    return answers.map((answer) => answer ?? others.next().value);
  };
}

/**
 * The answer for one object, by itself if possible, else by the network around it, else by all networks around it;
 * undefined if that is too much.
 */
async function answerFor(
  one: AnnotatedObject,
  question: HolderQuestion,
  policy: HolderPolicy,
  deciding: DecidingObjects,
): Promise<HolderAnswer | undefined> {
  const answerIn = async (lineage: Lineage, from: number) =>
    (await deciding.loadNamed(lineage.slice(from)))
      ? shownHolder(holderIn(lineage, deciding.find, question, policy))
      : undefined;
  const self: Registered = { id: one.stored, object: one.object };
  const isWhole = ({ abuseContact, resourceHolder }: HolderAnswer) =>
    (!question.resourceHolder || resourceHolder !== undefined) &&
    (!question.abuseContact ||
      self.id.source !== policy.mainSource ||
      (abuseContact !== undefined && !abuseContact.suspect && abuseContact.orgId !== ''));
  const bySelf = deciding.isFull() ? undefined : await answerIn([self], 0);
  if (bySelf === undefined || isWhole(bySelf)) return bySelf;
  const around = await networksAround(one, deciding);
  if (around === undefined || around.length === 0) return around && bySelf;
  const byNearest = await answerIn([self, around[0]!], 1);
  if (byNearest === undefined || isWhole(byNearest) || around.length === 1) return byNearest;
  return answerIn([self, ...around], 2);
}

/** The networks around an object, the nearest first; undefined if that is too much. */
async function networksAround(
  { stored: { source, type, key }, object }: AnnotatedObject,
  deciding: DecidingObjects,
): Promise<readonly Registered[] | undefined> {
  const range = type === 'inetnum' || type === 'inet6num' ? occupiedRange(object) : undefined;
  return range ? deciding.enclosing(source, type, range, key) : [];
}
