import { ending, line, remarks } from '../attribute-lines.js';
import { keyCertName, mailbox, mntnerName, personHandle, uniqueWord } from '../names.js';
import { below, chance, type Random, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';

const stream = streamOf('mntner');
const saltedAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function mntnerText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, stream, index);
  const word = uniqueWord(index);
  return (
    line('mntner', mntnerName(index)) +
    line('descr', `Maintainer of ${word}`) +
    line('admin-c', personHandle(registry, below(random, registry.counts.person))) +
    line('upd-to', mailbox(`updates.${word}`)) +
    (chance(random, 40) ? line('mnt-nfy', mailbox(`changes.${word}`)) : '') +
    credentials(registry, random, word) +
    remarks(random) +
    line('mnt-by', chance(random, 90) ? mntnerName(index) : mntnerName(below(random, registry.counts.mntner))) +
    ending(random, registry.source)
  );
}

/** One to three credentials, of current and historical kinds. */
export function credentials(registry: Registry, random: Random, word: string): string {
  const sso = line('auth', `SSO ${mailbox(word)}`);
  const key = chance(random, 25) ? line('auth', keyCertName(registry, below(random, registry.counts['key-cert']))) : '';
  const password = chance(random, 30) ? line('auth', `MD5-PW $1$${salted(random, 8)}$${salted(random, 22)}`) : '';
  return chance(random, 80) || key + password === '' ? sso + key + password : key + password;
}

/** Looks like a password hash, but has no known password. */
function salted(random: Random, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text += saltedAlphabet[below(random, saltedAlphabet.length)];
  }
  return text;
}
