import { BlockList, isIP } from 'node:net';
import { SettingsError } from '../read-settings.js';

/** A list of addresses and prefixes. */
export interface AddressList {
  /** Whether the list contains an address, as sockets or headers write it. */
  includes(address: string | undefined): boolean;
}

/** Reads a setting. Throws a SettingsError that names entries that are neither addresses nor prefixes. */
export function readAddressList(settingName: string, entries: readonly string[]): AddressList {
  const list = new BlockList();
  const bad = entries.filter((entry) => !addEntry(list, entry));
  if (bad.length > 0) {
    throw new SettingsError(bad.map((entry) => `${settingName}: "${entry}" is neither an address nor a prefix`));
  }
  if (entries.length === 0) return { includes: () => false };
  return {
    includes(address = '') {
      const plain = plainAddress(address);
      const family = familyOf(plain);
      return family !== undefined && list.check(plain, family);
    },
  };
}

/** An address as people write it: sockets for both families show IPv4 clients as "::ffff:192.0.2.1". */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.replace(/^::ffff:(?=\d+\.)/, '') : address;
}

function addEntry(list: BlockList, entry: string): boolean {
  const [address = '', length, ...more] = entry.split('/');
  const family = familyOf(address);
  if (family === undefined || more.length > 0) return false;
  if (length === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  if (bits > (family === 'ipv4' ? 32 : 128)) return false;
  list.addSubnet(address, bits, family);
  return true;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
