import { SearchServiceService } from '@cadastre/proto/search';

/** The search service. Expansions stay encoded: they may have megabytes, which the thread of the renderer decodes. */
export const searchService = {
  ...SearchServiceService,
  expandSet: { ...SearchServiceService.expandSet, responseDeserialize: (message: Buffer) => message },
} as const;
