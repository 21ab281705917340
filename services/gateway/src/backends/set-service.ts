import { SetServiceService } from '@cadastre/proto/whois';

/** The sets of whois. Descriptions stay encoded: they may have megabytes, which the thread of the renderer decodes. */
export const setService = {
  ...SetServiceService,
  describeSet: { ...SetServiceService.describeSet, responseDeserialize: (message: Buffer) => message },
} as const;
