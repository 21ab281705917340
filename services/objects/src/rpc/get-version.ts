import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { filterVersion } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { getVersion as getStored } from '../store/versions.js';
import { resolveContacts } from './contacts.js';
import { parseStored, registryObject } from './registry-object.js';
import { requireKey } from './requested.js';

const maxRevision = 2 ** 31 - 1;

export function getVersion(context: Context): Handlers<typeof ObjectReaderServiceService>['getVersion'] {
  return async ({ key, revision, withContacts }) => {
    const { source, id } = requireKey(context.sources, key);
    const version = revision <= maxRevision ? await getStored(context.readPool, id, revision) : undefined;
    if (version === undefined) throw new ServiceError('not-found', 'No such version');
    const shown = filterVersion(parseStored(version.stored));
    const named = withContacts ? [{ sourceId: id.sourceId, object: shown }] : [];
    const [contacts] = await resolveContacts(context.readPool, named);
    return {
      object: registryObject(source, version.stored, filterVersion, { contacts }),
      current: version.current,
    };
  };
}
