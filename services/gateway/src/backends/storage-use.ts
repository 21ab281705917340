import type { GetStorageUseResponse } from '@cadastre/proto/objects';
import { ServiceError } from '@cadastre/service';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { shortCall } from './call-options.js';

const unknown: GetStorageUseResponse = { mntners: {} };

/**
 * What the caller has stored, and may store, today and for these mntners. Empty while the objects service is
 * unavailable: the documents also have other content.
 */
export async function storageUseOf(
  context: Pick<Context, 'writer' | 'settings' | 'logger'>,
  request: Pick<FastifyRequest, 'principal' | 'client' | 'id'>,
  mntners: readonly string[] = [],
): Promise<GetStorageUseResponse> {
  const { principal, client } = request;
  const requested = { principal, clientAddress: client.address, mntners: [...mntners] };
  try {
    return await context.writer.getStorageUse(requested, shortCall(context, request));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    context.logger.warn({ requestId: request.id, err: error }, 'cannot read the use of storage');
    return unknown;
  }
}
