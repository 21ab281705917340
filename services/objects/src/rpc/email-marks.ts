import { EmailMark, type EmailMarkServiceService } from '@cadastre/proto/objects';
import { isEmail } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { foldEmail, type EmailMark as Mark } from '../domain/mail-address.js';
import { listEmailMarks, putEmailMark, removeEmailMark } from '../store/email-marks.js';
import { confirmAddresses } from '../store/mail-addresses.js';
import { pageSize } from './claims.js';

const maxAddresses = 1000;

const marksOfWire = new Map<EmailMark, Mark>([
  [EmailMark.EMAIL_MARK_EXCLUDED, 'excluded'],
  [EmailMark.EMAIL_MARK_UNDELIVERABLE, 'undeliverable'],
  [EmailMark.EMAIL_MARK_UNSUBSCRIBED, 'unsubscribed'],
]);
const wireOfMarks = new Map([...marksOfWire].map(([wire, mark]) => [mark, wire]));

export function emailMarkHandlers({
  writePool,
  readPool,
  clock,
}: Pick<Context, 'writePool' | 'readPool' | 'clock'>): Handlers<typeof EmailMarkServiceService> {
  return {
    markEmails: async ({ addresses, mark }) => ({
      changed: await putEmailMark(writePool, requireAddresses(addresses), requireMark(mark), clock()),
    }),
    unmarkEmails: async ({ addresses, mark }) => ({
      changed: await removeEmailMark(writePool, requireAddresses(addresses), requireMark(mark)),
    }),
    confirmEmails: async ({ addresses }) => ({
      changed: await confirmAddresses(writePool, requireAddresses(addresses), clock()),
    }),
    listMarkedEmails: async ({ mark, after, limit }) => {
      const only = mark === EmailMark.EMAIL_MARK_UNSPECIFIED ? undefined : requireMark(mark);
      const size = pageSize(limit);
      const found = await listEmailMarks(readPool, only, after, size);
      const isFull = new Set(found.map(({ address }) => address)).size === size;
      return {
        emails: found.map((one) => ({ ...one, mark: wireOfMarks.get(one.mark)! })),
        next: isFull ? found.at(-1)!.address : '',
      };
    },
  };
}

function requireAddresses(addresses: readonly string[]): string[] {
  if (addresses.length === 0 || addresses.length > maxAddresses) {
    throw new ServiceError('invalid', `1 to ${maxAddresses} addresses in one call`);
  }
  const wrong = addresses.find((address) => !isEmail(address));
  if (wrong !== undefined) throw new ServiceError('invalid', [failureMessage('No e-mail address: %s', [wrong])]);
  return [...new Set(addresses.map(foldEmail))];
}

function requireMark(wire: EmailMark): Mark {
  const mark = marksOfWire.get(wire);
  if (mark === undefined) throw new ServiceError('invalid', 'No such mark');
  return mark;
}
