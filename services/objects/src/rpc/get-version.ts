import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { filterVersion } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { ObjectId } from '../store/stored-object.js';
import { getVersion as getStored, listVersions } from '../store/versions.js';
import { noEntries, versionBeyond } from './absent.js';
import { resolveContacts } from './contacts.js';
import { parseStored, registryObject } from './registry-object.js';
import { requireKey } from './requested.js';

const maxRevision = 2 ** 31 - 1;

export function getVersion(context: Context): Handlers<typeof ObjectReaderServiceService>['getVersion'] {
  return async ({ key, revision, withContacts }) => {
    const { source, id } = requireKey(context.sources, key);
    const version = revision <= maxRevision ? await getStored(context.readPool, id, revision) : undefined;
    if (version === undefined) throw await absent(context, source.name, id, revision);
    const shown = filterVersion(parseStored(version.stored));
    const named = withContacts ? [{ sourceId: id.sourceId, object: shown }] : [];
    const [contacts] = await resolveContacts(context.readPool, named);
    return {
      object: registryObject(source, version.stored, filterVersion, { contacts }),
      current: version.current,
    };
  };
}

/** Why there is no such version: beyond the newest one (ERROR:117), or nothing to show (ERROR:101). */
async function absent(context: Context, source: string, id: ObjectId, revision: number): Promise<ServiceError> {
  const newest = (await listVersions(context.readPool, id)).at(-1)?.revision;
  const beyond = newest !== undefined && revision > newest;
  return new ServiceError('not-found', [beyond ? versionBeyond(newest) : noEntries(source)]);
}
