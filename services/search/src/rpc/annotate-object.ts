import type { AnnotateObjectRequest, AnnotateObjectResponse, SearchServiceService } from '@cadastre/proto/search';
import { foldKey, parseObject, primaryKey } from '@cadastre/rpsl';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import { annotate } from '../annotations/annotate.js';
import type { Context } from '../context.js';
import { searchReads, smallCharacters } from '../run/search-reads.js';
import { annotatorsOf, noAnnotations } from './search-pages.js';
import { clientOf, turnsOf } from './turns.js';

/** Annotates one object of the caller. A large object needs a slot, like a large page. */
export function annotateObject(context: Context): Handlers<typeof SearchServiceService>['annotateObject'] {
  return async (request, call) => {
    if ((request.object?.text.length ?? 0) <= smallCharacters) return annotateGiven(context, request, call);
    const leave = await context.largePages.take(clientOf(request, call), call.signal);
    try {
      return await annotateGiven(context, request, call);
    } finally {
      leave();
    }
  };
}

async function annotateGiven(
  context: Context,
  request: AnnotateObjectRequest,
  call: Call,
): Promise<AnnotateObjectResponse> {
  const { object: given, annotations: wanted = noAnnotations } = request;
  const { source = '', text = '' } = given ?? {};
  const parsed = parseObject(text);
  const key = parsed.ok ? primaryKey(parsed.object) : undefined;
  if (!parsed.ok || key === undefined || 'messages' in key) {
    throw new ServiceError('invalid', 'The text is not an object with a key');
  }
  const { object } = parsed;
  const index = searchReads(context.index, turnsOf(context, request, call));
  const { annotators, late } = annotatorsOf(context, index, call);
  const stored = { source, type: object.type, key: foldKey(object.type, key.shown) };
  const [annotations] = await annotate([{ stored, object }], wanted, annotators, call);
  return { annotations: { related: false, ...annotations! }, messages: late };
}
