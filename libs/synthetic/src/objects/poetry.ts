import { ending, line } from '../attribute-lines.js';
import { anyHolder } from '../holders.js';
import { uniqueWord } from '../names.js';
import { randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';

const formStream = streamOf('poetic-form');
const poemStream = streamOf('poem');

export const poeticFormKey = (_registry: Registry, index: number): string => `FORM-${uniqueWord(index)}`;
export const poemKey = (_registry: Registry, index: number): string => `POEM-${uniqueWord(index)}`;

export function poeticFormText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, formStream, index);
  const holder = anyHolder(registry, random);
  return (
    line('poetic-form', poeticFormKey(registry, index)) +
    line('descr', 'Three lines about a network') +
    line('admin-c', holder.adminContact) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}

export function poemText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, poemStream, index);
  const holder = anyHolder(registry, random);
  return (
    line('poem', poemKey(registry, index)) +
    line('form', poeticFormKey(registry, index % registry.counts['poetic-form'])) +
    line('text', 'A packet sets out,') +
    line('text', 'no one told it of the loop:') +
    line('text', 'sixty hops, then peace.') +
    line('author', holder.adminContact) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}
