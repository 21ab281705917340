import { Option } from 'commander';
import { stringify } from 'yaml';
import { printJson } from '../commands/results.js';
import { type Io, say } from '../io.js';
import type { Query, Registry } from './registry.js';

/** How to print objects. */
export type ObjectFormat = 'text' | 'json' | 'yaml';

/** The option with the format of objects. */
export function formatOption(): Option {
  const formats: readonly ObjectFormat[] = ['text', 'json', 'yaml'];
  return new Option('-o, --output <format>', 'format of the objects').choices(formats).default('text');
}

/**
 * Prints the objects of a resource: as the registry writes them in text, or in JSON or YAML as an array of objects with
 * the members of the REST interface.
 */
export async function printObjects(
  io: Io,
  registry: Registry,
  format: ObjectFormat,
  resources: readonly { readonly path: readonly string[]; readonly query?: Query }[],
): Promise<void> {
  if (format === 'text') {
    for (const [at, { path, query }] of resources.entries()) {
      const text = await registry.text(path, query);
      say(io, `${at === 0 ? '' : '\n'}${text.trimEnd()}`);
    }
    return;
  }
  const objects: unknown[] = [];
  for (const { path, query } of resources) objects.push(...((await registry.json(path, query)).objects?.object ?? []));
  if (format === 'json') printJson(io, objects);
  else say(io, stringify(objects).trimEnd());
}
