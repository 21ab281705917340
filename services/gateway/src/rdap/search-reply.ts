import type { RegistryObject } from '@cadastre/proto/registry';
import {
  loadDocuments,
  pagingMetadata,
  type RequestedPage,
  type ReverseSearchMapping,
  type SearchKind,
  searchAnswer,
} from '@cadastre/rdap';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import { showingFor } from './found.js';
import { rdapReply } from './reply.js';

/** The schemas of the answers of searches. */
export const searchSchemas: Readonly<Record<SearchKind, string>> = {
  ips: 'RdapIpSearch',
  autnums: 'RdapAutnumSearch',
  domains: 'RdapDomainSearch',
  entities: 'RdapEntitySearch',
};

/** A page of the results of a search. */
export interface FoundPage {
  readonly objects: readonly RegistryObject[];
  /** The position where the next page continues; empty at the end of the result. */
  readonly next: Uint8Array;
  /** Number of objects of all pages, if requested and known. */
  readonly total: number | undefined;
}

/**
 * Replies with the documents of a page. Counts each person among them before it shows any. Throws an HttpError (404)
 * for an empty result.
 */
export async function searchReply(
  context: Context,
  request: RouteRequest,
  reply: FastifyReply,
  { kind, requested, reverse }: { kind: SearchKind; requested: RequestedPage; reverse?: ReverseSearchMapping },
  { objects, next, total }: FoundPage,
): Promise<RouteReply> {
  if (objects.length === 0) throw new HttpError(404, messages.nothingFound());
  for (const object of objects) {
    const tooMany = await countIfPersonal(context, request, object);
    if (tooMany) throw tooMany;
  }
  const showing = showingFor(context, request, reply);
  const shown = await loadDocuments(
    showing,
    objects.map((object) => ({ object })),
  );
  const documents = shown.flatMap((one) => one?.nested ?? []);
  const paging = pagingMetadata({ requested, ...showing.requested, next, total });
  return rdapReply(
    searchAnswer(showing.registry, showing.requested, kind, documents, {
      ...(next.length > 0 && requested.number === 1 && { cut: documents.length }),
      ...(paging && { paging }),
      ...(reverse && { reverse }),
    }),
  );
}
