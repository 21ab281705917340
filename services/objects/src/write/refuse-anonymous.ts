import { messages, type RpslObject, sortMessages, valuesOf } from '@cadastre/rpsl';
import { maintainedState } from '../domain/authorisation/strategy.js';
import type { Wellformed } from '../domain/change.js';
import { requestMessages } from '../domain/request-messages.js';
import { loadObjects } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import { type Db, normalisedStored } from '../store/stored-object.js';
import { absence, refusal, type WriteReply } from './reply.js';

/**
 * Refuses the changes of an anonymous caller without a transaction, a lock, a rule or a call to another service. The
 * refusal names the maintainers who could authorise (decision W5): those of the submitted object for a create, which does
 * not reveal whether it exists; those of the stored object for an update or a deletion. One statement reads the stored
 * objects; it costs and reveals no more than a lookup of them.
 */
export async function refuseAnonymous(db: Db, source: Source, changes: readonly Wellformed[]): Promise<WriteReply[]> {
  const stored = await loadStored(db, source, changes);
  return (
    absence(changes, (change) => stored.has(change)) ??
    changes.map((change) => unauthorised(change, stored.get(change)))
  );
}

/** The stored objects of all but creations, as far as they exist. */
async function loadStored(
  db: Db,
  source: Source,
  changes: readonly Wellformed[],
): Promise<ReadonlyMap<Wellformed, RpslObject>> {
  const requested = changes.filter(({ verb }) => verb !== 'create');
  const ids = requested.map(({ type, key }) => ({ sourceId: source.id, type, key: key.folded }));
  const rows = await loadObjects(db, ids);
  return new Map(
    requested.flatMap((change, at) => (rows[at]?.deleted === false ? [[change, normalisedStored(rows[at])]] : [])),
  );
}

function unauthorised(change: Wellformed, stored: RpslObject | undefined): WriteReply {
  const written = stored === undefined ? 'create' : 'modify';
  const action = change.verb === 'delete' ? 'delete' : written;
  const object = change.verb === 'delete' ? stored! : change.object;
  const maintainers = valuesOf(maintainedState({ action, object, stored }), 'mnt-by');
  const said = [
    ...(change.verb === 'delete' ? [] : change.messages),
    messages.authorisationFailed(change.type, change.key.shown, 'mnt-by', maintainers),
    requestMessages.credentialsTried([]),
  ];
  return refusal('unauthorised', sortMessages(said), change);
}
