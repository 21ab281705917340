import type { SearchServiceService } from '@cadastre/proto/search';
import { foldKey } from '@cadastre/rpsl';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { indexMissing, requireSource } from './sources.js';
import { turnsOf } from './turns.js';

const maxKeys = 101;
const types = ['inet6num', 'inetnum', 'aut-num'] as const;

/** Lists the networks and AS numbers that name an organisation, from the index of one source. */
export function listHoldings(context: Context): Handlers<typeof SearchServiceService>['listHoldings'] {
  return async ({ source, organisation, limit, client }, call) => {
    const { store } = requireSource(context, source);
    const folded = foldKey('organisation', organisation);
    const query = { organisation: folded, types, max: Math.min(limit, maxKeys) };
    const turns = turnsOf(context, { client }, call);
    const found = await turns.read(() => context.index.holdings(store, query, call.signal));
    if (found === undefined) throw indexMissing();
    const [inet6nums = [], inetnums = [], autNums = []] = found.keys.map((keys) => [...keys]);
    return { inet6nums, inetnums, autNums, serial: found.serial };
  };
}
