import type { GatewaySettings } from './settings.js';

/** What a production gateway can do without, but the public will miss. */
export function productionLacks({ environment, baseUrl, certificateFile }: GatewaySettings): string[] {
  if (environment !== 'production') return [];
  return [
    ...(baseUrl === undefined ? ['CADASTRE_BASE_URL is not set: links in answers lead to localhost'] : []),
    ...(certificateFile === undefined ? ['CADASTRE_HTTPS_CERT_FILE is not set: clients will not trust HTTPS'] : []),
  ];
}
