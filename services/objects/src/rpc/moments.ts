import type { Moment as WireMoment } from '@cadastre/proto/objects';
import { failureMessage, ServiceError } from '@cadastre/service';
import { findMoment, type Moment } from '../store/past.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';

/** The moment of a request; that of the newest change if it has none. */
export function requestedMoment(wire: WireMoment | undefined): Moment {
  switch (wire?.point?.$case) {
    case 'serial':
      return { serial: wire.point.value };
    case 'instant':
      return { instant: wire.point.value };
    default:
      return 'newest';
  }
}

/** Whether a moment is a time after now. */
export function isFuture(moment: Moment, now: Date): boolean {
  return moment !== 'newest' && 'instant' in moment && moment.instant > now;
}

/**
 * The serial of a moment. Errors: ServiceError 'invalid' for the future, 'out-of-range' for a moment that is no longer
 * stored.
 */
export async function requireMoment(db: Db, source: Source, wire: WireMoment | undefined, now: Date): Promise<bigint> {
  const moment = requestedMoment(wire);
  if (isFuture(moment, now)) throw new ServiceError('invalid', 'The moment is in the future');
  return (await known(db, source, moment)).serial;
}

/** The same for a question about ranges, which older registries store from a later serial on. */
export async function requireRanges(db: Db, source: Source, wire: WireMoment | undefined, now: Date): Promise<bigint> {
  const moment = await known(db, source, { serial: await requireMoment(db, source, wire, now) });
  if (!moment.hasRanges) throw forgotten(source);
  return moment.serial;
}

/** Throws the same when a source does not yet, or no longer, have a serial. */
export async function requireSerial(db: Db, source: Source, serial: bigint): Promise<void> {
  await known(db, source, { serial });
}

async function known(db: Db, source: Source, moment: Moment) {
  const found = await findMoment(db, source.id, moment);
  switch (found.outcome) {
    case 'known':
      return found;
    case 'ahead':
      throw new ServiceError('invalid', [
        failureMessage('The newest serial of %s is %s', [source.name, String(found.newest)]),
      ]);
    case 'forgotten':
      throw forgotten(source);
  }
}

function forgotten({ name }: Source): ServiceError {
  return new ServiceError('out-of-range', [failureMessage('The registry has forgotten this moment of %s', [name])]);
}
