import { createHash } from 'node:crypto';
import type { Logger } from '@cadastre/service';

/** Logs an event of an address (folded). */
export type AddressLog = (address: string, message: string) => void;

/** A log without addresses: the first half of their SHA-256, by which an operator who knows an address finds it. */
export function addressLog(logger: Logger): AddressLog {
  return (address, message) => {
    const hash = createHash('sha256').update(address).digest('hex').slice(0, 32);
    logger.info({ addressHash: hash }, message);
  };
}
