import type { RemoveBlockRequest, RemoveBlockResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { blockablePrefix, isPrintable } from '../domain/block.js';
import { messages } from '../domain/messages.js';
import { endBlock } from '../store/blocks.js';

/** Ends the block of a network. */
export async function removeBlock({ pool, now }: Context, request: RemoveBlockRequest): Promise<RemoveBlockResponse> {
  const prefix = blockablePrefix(request.prefix);
  const shown = request.prefix.slice(0, 80);
  if (prefix === undefined) throw new ServiceError('invalid', [messages.badBlockPrefix(shown)]);
  if (!isPrintable(request.removedBy, 80)) throw new ServiceError('invalid', [messages.badOperatorName()]);
  const block = await endBlock(pool, prefix, request.removedBy, now());
  if (block === undefined) throw new ServiceError('not-found', [messages.notBlocked(prefix)]);
  return { block };
}
