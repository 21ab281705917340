import { ending, line } from '../attribute-lines.js';
import { anyHolder } from '../holders.js';
import { irtName, keyCertName, mailbox, uniqueWord } from '../names.js';
import { below, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { address, phone } from './contact.js';
import { credentials } from './mntner.js';

const stream = streamOf('irt');

export function irtText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, stream, index);
  const holder = anyHolder(registry, random);
  const word = uniqueWord(index);
  const key = keyCertName(registry, below(random, registry.counts['key-cert']));
  return (
    line('irt', irtName(index)) +
    address(random) +
    phone(random) +
    line('e-mail', mailbox(`irt.${word}`)) +
    line('signature', key) +
    line('encryption', key) +
    line('admin-c', holder.adminContact) +
    line('tech-c', holder.techContact) +
    credentials(registry, random, `irt.${word}`) +
    line('irt-nfy', mailbox(`irt.${word}`)) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}
