import type { DescribedSet, DescribeSetResponse, SetServiceService } from '@cadastre/proto/whois';
import { queryMessages } from '@cadastre/query';
import { type Expansion, parseSetName, setInParts, sortInParts } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import { byCharacter, describedSet, type SetTools } from '../sets/expansion.js';
import type { Pause } from '../turns.js';
import { setPages } from './set-pages.js';

/** Streams the contents of a set. */
export function describeSet(tools: SetTools): Handlers<typeof SetServiceService>['describeSet'] {
  return (request, call) =>
    setPages(tools, request, call, {
      async pagesOf(bounded, { name, serial }) {
        if (parseSetName(name) === undefined) throw new ServiceError('invalid', [queryMessages.noSetName(name)]);
        const found = await describedSet(bounded, name, request);
        return found && pagesOf(serial, found, bounded.pause);
      },
      bytesOf,
    });
}

/** Maximum values of a message, and of a part of a set. */
const valuesPerPage = 2_000;

const nothing: DescribeSetResponse = {
  sets: [],
  missing: [],
  asNumbers: [],
  ipv4Prefixes: [],
  ipv6Prefixes: [],
  routers: [],
  isPartial: false,
  serial: 0n,
  prefixCounts: [],
};

async function* pagesOf(serial: bigint, expansion: Expansion, pause: Pause): AsyncGenerator<DescribeSetResponse> {
  yield { ...nothing, serial, isPartial: expansion.isPartial };
  let sets: DescribedSet[] = [];
  let values = 0;
  for (const set of expansion.sets) {
    const joined = await sortInParts(set.joined, byCharacter, pause);
    for await (const part of setInParts({ ...set, joined }, valuesPerPage, pause)) {
      sets.push(part);
      values += 1 + part.members.length + part.joined.length;
      if (values < valuesPerPage) continue;
      yield { ...nothing, sets };
      sets = [];
      values = 0;
    }
  }
  if (sets.length > 0) yield { ...nothing, sets };
  for (const list of ['missing', 'asNumbers', 'prefixCounts', 'ipv4Prefixes', 'ipv6Prefixes', 'routers'] as const) {
    for (let at = 0; at < expansion[list].length; at += valuesPerPage) {
      await pause();
      yield { ...nothing, [list]: expansion[list].slice(at, at + valuesPerPage) };
    }
  }
}

function bytesOf({ sets, ...lists }: DescribeSetResponse): number {
  const texts = [lists.missing, lists.ipv4Prefixes, lists.ipv6Prefixes, lists.routers];
  return [...texts, ...sets.flatMap(({ members, joined }) => [members, joined])]
    .flat()
    .reduce((sum, { length }) => sum + length, 0);
}
