import { ending, line, remarks } from '../attribute-lines.js';
import { holderOf } from '../holders.js';
import { companyName, mailbox, organisationHandle, uniqueWord } from '../names.js';
import { chance, pick, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { countries } from '../words.js';
import { organisationAddress, phone } from './contact.js';

const stream = streamOf('organisation');

export function organisationText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, stream, index);
  const holder = holderOf(registry, index);
  return (
    line('organisation', organisationHandle(registry, index)) +
    line('org-name', companyName(registry, index)) +
    line('org-type', index === 0 ? 'RIR' : chance(random, 40) ? 'LIR' : 'OTHER') +
    remarks(random) +
    organisationAddress(random, registry, index) +
    line('country', pick(random, countries)) +
    phone(random) +
    line('e-mail', mailbox(`info.${uniqueWord(index)}`)) +
    line('admin-c', holder.adminContact) +
    line('tech-c', holder.techContact) +
    line('abuse-c', holder.abuseContact) +
    line('mnt-ref', holder.mntner) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}
