import { emptyLine, ending, line } from '../attribute-lines.js';
import { anyHolder } from '../holders.js';
import { keyCertName, mailbox, uniqueWord } from '../names.js';
import { type Random, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';

const stream = streamOf('key-cert');
const keyLines = 12;

/** Has the form of a key; the material is random, so that it verifies no signature. */
export function keyCertText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, stream, index);
  const name = keyCertName(registry, index);
  const isX509 = name.startsWith('X509');
  return (
    line('key-cert', name) +
    line('method', isX509 ? 'X509' : 'PGP') +
    line('owner', isX509 ? `/C=NL/O=${uniqueWord(index)}/CN=example.net` : `Key ${index} <${mailbox(`key${index}`)}>`) +
    line('fingerpr', isX509 ? x509Fingerprint(random) : pgpFingerprint(random)) +
    (isX509 ? block(random, 'CERTIFICATE', '') : block(random, 'PGP PUBLIC KEY BLOCK', emptyLine('certif'))) +
    line('mnt-by', anyHolder(registry, random).mntner) +
    ending(random, registry.source)
  );
}

function block(random: Random, label: string, blank: string): string {
  const body = Array.from({ length: keyLines }, () => line('certif', material(random))).join('');
  return `${line('certif', `-----BEGIN ${label}-----`)}${blank}${body}${line('certif', `-----END ${label}-----`)}`;
}

/** 64 characters of Base64. */
function material(random: Random): string {
  return Buffer.from(Uint32Array.from({ length: 12 }, random).buffer).toString('base64');
}

function hex(random: Random, digits: number): string {
  return (random() >>> (32 - 4 * digits)).toString(16).toUpperCase().padStart(digits, '0');
}

function pgpFingerprint(random: Random): string {
  const groups = Array.from({ length: 10 }, () => hex(random, 4));
  return `${groups.slice(0, 5).join(' ')}  ${groups.slice(5).join(' ')}`;
}

function x509Fingerprint(random: Random): string {
  return Array.from({ length: 16 }, () => hex(random, 2)).join(':');
}
