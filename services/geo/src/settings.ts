import { addressSettings, baseSettings, registrySettings, rpcSettings, setting, type Values } from '@cadastre/service';

/** The settings of the geo service. */
export const geoSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...registrySettings,
  objectsAddress: addressSettings.objectsAddress,
  suspectMailboxes: setting.list({
    name: 'CADASTRE_GEO_SUSPECT_MAILBOXES',
    doc: 'Abuse mailboxes that do not work.',
    default: [],
  }),
};

export type GeoSettings = Values<typeof geoSettings>;
