import { baseSettings, setting, type Values } from '@cadastre/service';

/** The settings of the search service. */
export const searchSettings = {
  ...baseSettings,
  listen: setting.address({
    name: 'CADASTRE_SEARCH_LISTEN',
    doc: 'Address of the gRPC interface.',
    default: '127.0.0.1:50053',
  }),
  operations: setting.address({
    name: 'CADASTRE_SEARCH_OPERATIONS',
    doc: 'Address of the plain HTTP port with /live, /ready and /metrics.',
    optional: true,
  }),
  operators: setting.list({
    name: 'CADASTRE_OPERATORS',
    doc: "Common names of the certificates of the operator's own systems, which may call every method.",
    default: ['operator'],
  }),
};

export type SearchSettings = Values<typeof searchSettings>;
