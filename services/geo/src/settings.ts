import { baseSettings, rpcSettings, setting, type Values } from '@cadastre/service';

/** The settings of the geo service. */
export const geoSettings = {
  ...baseSettings,
  ...rpcSettings,
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
  objectsAddress: setting.peerAddress({
    name: 'CADASTRE_OBJECTS_ADDRESS',
    doc: 'Address of the objects service, which knows the hierarchy.',
    default: '127.0.0.1:9401',
  }),
  operatorMaintainers: setting.list({
    name: 'CADASTRE_OPERATOR_MAINTAINERS',
    doc: 'Maintainers by which the operator of the registry manages resources (its resource registration).',
    default: [],
  }),
  suspectMailboxes: setting.list({
    name: 'CADASTRE_GEO_SUSPECT_MAILBOXES',
    doc: 'Abuse mailboxes that are known not to work.',
    default: [],
  }),
};

export type GeoSettings = Values<typeof geoSettings>;
