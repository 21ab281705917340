import { setImmediate } from 'node:timers/promises';
import type { SearchServiceService } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { expandSet as expand, setTypeOf } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { KeyQuestion } from '../index-port.js';
import { inTurns } from '../run/in-turns.js';
import { setReader } from '../run/read-sets.js';
import { indexMissing } from './missing-sources.js';
import { requireSource } from './require-source.js';

/** Bounds of an expansion: with these a response has about 4 MB. */
const bounds = { depth: 50, sets: 10_000, members: 100_000, maintainers: 10_000, prefixes: 50_000 };
const maxMs = 5_000;
const maxMsAtOnce = 5;

/** Expands a set, from the index of one source. */
export function expandSet(context: Context): Handlers<typeof SearchServiceService>['expandSet'] {
  return async ({ source, name, depth = bounds.depth, withPrefixes, client }, call) => {
    const searched = requireSource(context, source);
    const type = setTypeOf(name.trim());
    if (type === undefined) throw new ServiceError('invalid', [queryMessages.noSetName(name)]);
    const { store } = searched;
    const position = await context.index.position(store);
    if (position === undefined) throw indexMissing();
    const id = client || call.caller;
    const turns = context.turns.of(id, call.signal);
    const { load } = inTurns(context.reads, turns);
    const keysWith = async (questions: readonly KeyQuestion[], most: number) => {
      const found = await turns.read(() => context.index.keysWith(store, questions, most, call.signal));
      if (found === undefined) throw indexMissing();
      return found.keys;
    };
    const expansion = await context.places.run(id, call.signal, () => {
      const hasTime = timer(call.signal);
      const most = { depth: Math.min(depth, bounds.depth), prefixes: withPrefixes ? bounds.prefixes : 0 };
      const reader = setReader({ load, keysWith, contents: context.setContents }, store, hasTime);
      return expand(reader, { type, name: name.trim() }, { ...bounds, ...most, hasTime });
    });
    if (expansion === undefined) throw new ServiceError('not-found', [queryMessages.noEntries(searched.names)]);
    const { sets, missing, asNumbers, prefixCounts, ipv4Prefixes, ipv6Prefixes, routers, isPartial } = expansion;
    return {
      sets: sets.map(({ type, name, members, joined }) => ({ type, name, members: [...members], joined: [...joined] })),
      missing: [...missing],
      asNumbers: [...asNumbers],
      prefixCounts: [...prefixCounts],
      ipv4Prefixes: [...ipv4Prefixes],
      ipv6Prefixes: [...ipv6Prefixes],
      routers: [...routers],
      isPartial,
      serial: position.serial,
    };
  };
}

/** Says whether there is time left; lets other requests go on after each few milliseconds of work. Ends with the client. */
function timer(signal: AbortSignal): () => Promise<boolean> {
  const end = performance.now() + maxMs;
  let turn = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - turn > maxMsAtOnce) {
      await setImmediate();
      turn = performance.now();
    }
    return performance.now() < end;
  };
}
