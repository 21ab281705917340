import type { Resource } from '../routes/route.js';

/** All resources of RDAP, a dialect of the REST interface with documents, refusals and headers of its own (ADR 0052). */
export const rdapResources: readonly Resource[] = [];
