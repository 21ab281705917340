import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { listVersions as listStored } from '../store/versions.js';
import { noEntries } from './absent.js';
import { requireKey } from './requested.js';

export function listVersions(context: Context): Handlers<typeof ObjectReaderServiceService>['listVersions'] {
  return async ({ key }) => {
    const { id, source } = requireKey(context.sources, key);
    const versions = await listStored(context.readPool, id);
    if (versions.length === 0) throw new ServiceError('not-found', [noEntries(source.name)]);
    return { versions };
  };
}
