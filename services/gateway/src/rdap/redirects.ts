import type { Resource } from '@cadastre/rpsl';

/** The RDAP services of other registries. */
export interface Redirects {
  /** Base URL, without a final slash, of the service that answers for a resource; undefined when none is known. */
  serviceFor(resource: Resource): string | undefined;
}

/** Knows no other registry. */
export const noRedirects: Redirects = { serviceFor: () => undefined };
