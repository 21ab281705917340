import {
  addressSettings,
  baseSettings,
  registrySettings,
  rpcSettings,
  suspectMailboxSettings,
  type Values,
} from '@cadastre/service';

/** The settings of the geo service. */
export const geoSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...registrySettings,
  objectsAddress: addressSettings.objectsAddress,
  ...suspectMailboxSettings,
};

export type GeoSettings = Values<typeof geoSettings>;
