import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';
import { messages } from '@cadastre/rpsl';
import { duringCall, failureMessage, type Handlers, ServiceError, wireMessage } from '@cadastre/service';
import type { Context } from '../context.js';
import { type Db, isErased, type ObjectId } from '../store/stored-object.js';
import { getVersion as getStored, listVersions as listStored, maxRevision } from '../store/versions.js';
import { requireMoment } from './moments.js';
import { sentObject } from './registry-object.js';
import { requireKey } from './requested.js';

/** Maximum versions of a list: an account can make hundreds of thousands of one object in a day. */
export const maxListed = 10_000;

export function listVersions(context: Context): Handlers<typeof ObjectReaderServiceService>['listVersions'] {
  return ({ key, asOf, client, upToRevision }, call) =>
    context.turns.of(client || call.caller, call.signal).read(async () => {
      const { id, source } = requireKey(context.sources, key);
      const db = duringCall(context.readPool, call);
      const upTo = asOf && (await requireMoment(db, source, asOf, context.clock()));
      const revision = Math.min(upToRevision ?? maxRevision, maxRevision);
      const versions = await listStored(db, id, { upTo, revision, limit: maxListed + 1 });
      if (versions.length === 0) throw new ServiceError('not-found', [noEntries(source.name)]);
      return { versions: versions.slice(-maxListed), serial: upTo, hasOlder: versions.length > maxListed };
    });
}

export function getVersion(context: Context): Handlers<typeof ObjectReaderServiceService>['getVersion'] {
  return ({ key, revision, client }, call) =>
    context.turns.of(client || call.caller, call.signal).read(async () => {
      const db = duringCall(context.readPool, call);
      const { source, id } = requireKey(context.sources, key);
      const version = revision <= maxRevision ? await getStored(db, id, revision) : undefined;
      if (version === undefined) throw await absent(db, source.name, id, revision);
      if (isErased(version.stored)) throw new ServiceError('not-found', 'The text of this version was erased');
      const shown = await context.versions.show(version.stored);
      // Versions name no contacts.
      return { object: sentObject(source, version.stored, shown), current: version.current };
    });
}

/** The error for a missing version: ERROR:117 when it is beyond the newest one, else ERROR:101. */
async function absent(db: Db, source: string, id: ObjectId, revision: number): Promise<ServiceError> {
  const [newest] = (await listStored(db, id, { limit: 1 })).map(({ revision }) => revision);
  const beyond = newest !== undefined && revision > newest;
  if (!beyond) return new ServiceError('not-found', [noEntries(source)]);
  const text =
    'ERROR:117: version cannot exceed %d for this object\n\nVersions are numbers greater or equal to 1\n' +
    "but cannot exceed the object's current version number.\n";
  return new ServiceError('not-found', [failureMessage(text, [String(newest)])]);
}

/** ERROR:101: the source has no such object. */
function noEntries(source: string): Message {
  return wireMessage(messages.noEntries([source]));
}
