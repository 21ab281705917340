import type { ListBlocksRequest, ListBlocksResponse } from '@cadastre/proto/auth';
import type { Context } from '../context.js';
import { blockListVersion, listBlocks as listStoredBlocks } from '../store/blocks.js';

/** Lists the blocks in force. The version is read first: a change in between is listed, and told again next time. */
export async function listBlocks({ pool, now }: Context, request: ListBlocksRequest): Promise<ListBlocksResponse> {
  const version = await blockListVersion(pool);
  if (version === request.knownVersion) return { version, unchanged: true, blocks: [] };
  return { version, unchanged: false, blocks: await listStoredBlocks(pool, now()) };
}
