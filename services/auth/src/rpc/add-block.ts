import type { AddBlockRequest, AddBlockResponse } from '@cadastre/proto/auth';
import { inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { blockablePrefix, problemsOfBlock } from '../domain/block.js';
import { endBlock, insertBlock, lockBlocks } from '../store/blocks.js';

/** Blocks a network; a block of the same network gives way to this one. */
export async function addBlock({ pool, now }: Context, request: AddBlockRequest): Promise<AddBlockResponse> {
  const created = now();
  const problems = problemsOfBlock({ ...request, until: request.until }, created);
  const prefix = blockablePrefix(request.prefix);
  if (problems.length > 0 || prefix === undefined) throw new ServiceError('invalid', problems);
  const { reason, addedBy, until } = request;
  const block = { prefix, reason, addedBy, created, until };
  await inTransaction(pool, async (client) => {
    await lockBlocks(client);
    await endBlock(client, prefix, addedBy, created);
    await insertBlock(client, block);
  });
  return { block };
}
