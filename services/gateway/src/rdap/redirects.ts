import { createServiceTable, type ServiceTable } from '@cadastre/rdap';
import type { GatewaySettings } from '../settings.js';
import type { BootstrapTexts } from './bootstrap-directory.js';

/** The RDAP services of other registries. */
export type Redirects = Pick<ServiceTable, 'serviceFor'>;

/** Knows no other registry. */
export const noRedirects: Redirects = { serviceFor: () => undefined };

/**
 * The services that bootstrap files name; never this one, by the names that the settings give it. Throws an Error when
 * it cannot use the files.
 */
export function readRedirects(
  texts: BootstrapTexts,
  { baseUrl, rdapHosts }: Pick<GatewaySettings, 'baseUrl' | 'rdapHosts'>,
): Redirects {
  const own = new Set(rdapHosts.map((name) => name.toLowerCase()));
  if (baseUrl !== undefined) own.add(new URL(baseUrl).hostname);
  return createServiceTable(texts, ({ hostname }) => own.has(hostname));
}
