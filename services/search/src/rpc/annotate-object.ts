import type { SearchServiceService } from '@cadastre/proto/search';
import { foldKey, parseObject, primaryKey } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import { annotate } from '../annotations/annotate.js';
import type { Context } from '../context.js';
import { inTurns } from '../run/in-turns.js';
import { annotatorsOf, noAnnotations } from './search-pages.js';

/** Annotates one object that the caller has. */
export function annotateObject(context: Context): Handlers<typeof SearchServiceService>['annotateObject'] {
  return async ({ object: given, annotations: wanted = noAnnotations, client }, call) => {
    const { source = '', text = '' } = given ?? {};
    const parsed = parseObject(text);
    const key = parsed.ok ? primaryKey(parsed.object) : undefined;
    if (!parsed.ok || key === undefined || 'messages' in key) {
      throw new ServiceError('invalid', 'The text is not an object with a key');
    }
    const { object } = parsed;
    const index = inTurns(context.reads, context.turns.of(client || call.caller, call.signal));
    const { annotators, late } = annotatorsOf(context, index, call);
    const stored = { source, type: object.type, key: foldKey(object.type, key.shown) };
    const [annotations] = await annotate([{ stored, object }], wanted, annotators, call);
    return { annotations: { related: false, ...annotations! }, messages: late };
  };
}
