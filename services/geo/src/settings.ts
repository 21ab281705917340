import { baseSettings, setting, type Values } from '@cadastre/service';

/** The settings of the geo service. */
export const geoSettings = {
  ...baseSettings,
  listen: setting.address({
    name: 'CADASTRE_GEO_LISTEN',
    doc: 'Address of the gRPC interface.',
    default: '127.0.0.1:50054',
  }),
  operations: setting.address({
    name: 'CADASTRE_GEO_OPERATIONS',
    doc: 'Address of the plain HTTP port with /live, /ready and /metrics.',
    optional: true,
  }),
  operators: setting.list({
    name: 'CADASTRE_OPERATORS',
    doc: "Common names of the certificates of the operator's own systems, which may call every method.",
    default: ['operator'],
  }),
};

export type GeoSettings = Values<typeof geoSettings>;
