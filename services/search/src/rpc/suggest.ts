import type { SearchServiceService } from '@cadastre/proto/search';
import { asciiLowerCase } from '@cadastre/rpsl';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { readEach } from '../run/found.js';
import { routeRules } from '../run/route-rules.js';
import { foldName } from '../words.js';
import { namedObject } from './found-objects.js';
import { indexMissing } from './sources.js';
import { turnsOf } from './turns.js';

/** Nearly everything begins with some single character. */
const minBeginningLength = 2;
const maxBeginningLength = 200;
const maxSuggestions = 20;

/** Finds objects of the main source whose key or name begins with a text. */
export function suggest(context: Context): Handlers<typeof SearchServiceService>['suggest'] {
  return async ({ beginning, limit, client }, call) => {
    const key = asciiLowerCase(beginning.trim());
    if (key.length < minBeginningLength || key.length > maxBeginningLength || limit === 0) return { suggestions: [] };
    const requested = { key, name: foldName(beginning), limit: Math.min(limit, maxSuggestions) };
    const turns = turnsOf(context, { client }, call);
    const { leavesOut } = routeRules(context, 'objects');
    const suggestions = await turns.read(async () => {
      const matches = await context.index.suggest(context.sources.main, requested, call.signal);
      return matches && readEach(matches.pages, (one) => (leavesOut(one) ? undefined : namedObject(one)));
    });
    if (suggestions === undefined) throw indexMissing();
    return { suggestions, processingMs: turns.takeSpentMs() };
  };
}
