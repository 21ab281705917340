import type { BlockListServiceService } from '@cadastre/proto/auth';
import { type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { blockablePrefix, problemsOfBlock, problemsOfRemoval } from '../domain/blocks.js';
import { messages } from '../domain/messages.js';
import { blockListVersion, endBlock, insertBlock, listBlocks, lockBlocks } from '../store/blocks.js';

/** The methods of BlockListService. */
export function blockListHandlers({ pool, now }: Context): Handlers<typeof BlockListServiceService> {
  return {
    addBlock: async (request) => {
      const created = now();
      const { reason, addedBy, until } = request;
      const problems = problemsOfBlock({ ...request, until }, created);
      if (problems.length > 0) throw new ServiceError('invalid', problems);
      const block = { prefix: blockablePrefix(request.prefix)!, reason, addedBy, created, until };
      await inTransaction(pool, async (client) => {
        await lockBlocks(client);
        await endBlock(client, block.prefix, addedBy, created);
        await insertBlock(client, block);
      });
      return { block };
    },
    removeBlock: async (request) => {
      const problems = problemsOfRemoval(request);
      if (problems.length > 0) throw new ServiceError('invalid', problems);
      const prefix = blockablePrefix(request.prefix)!;
      const block = await endBlock(pool, prefix, request.removedBy, now());
      if (block === undefined) throw new ServiceError('not-found', [messages.notBlocked(prefix)]);
      return { block };
    },
    listBlocks: async ({ knownVersion }) => {
      // Read the version first: a change in between is listed now, and the caller requests it once more.
      const version = await blockListVersion(pool);
      if (version === knownVersion) return { version, unchanged: true, blocks: [] };
      return { version, unchanged: false, blocks: await listBlocks(pool, now()) };
    },
  };
}
