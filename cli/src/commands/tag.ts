import { type TaggedObject, TagServiceService } from '@cadastre/proto/objects';
import type { ObjectKey } from '@cadastre/proto/registry';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { type Io, say } from '../io.js';
import { parseKey } from './object-name.js';
import { asList, inPages, type ListOptions, printList } from './results.js';

interface AddOptions {
  source: string;
  data?: string;
}

interface ListTagsOptions extends ListOptions {
  source?: string;
}

/** Adds `cadastre tag add|remove|list`. */
export function addTagCommands(program: Command, io: Io, run: Run): void {
  const tags = program.command('tag').description('Add tags to objects, remove and list them.');
  tags
    .command('add')
    .description('Add a tag to objects: to all of them, or to none when one does not exist.')
    .argument('<tag>', 'identifier: letters, digits and hyphens')
    .argument('<objects...>', 'each as type/key, for example person/AB1-TEST or "inetnum/192.0.2.0 - 192.0.2.255"')
    .requiredOption('--source <name>', 'source of the objects')
    .option('--data <text>', 'data of the tag: free text')
    .action(run((id: string, objects: string[], options: AddOptions) => addTag(io, id, objects, options)));
  tags
    .command('remove')
    .description('Remove a tag from objects.')
    .argument('<tag>', 'identifier')
    .argument('<objects...>', 'each as type/key')
    .requiredOption('--source <name>', 'source of the objects')
    .action(
      run((id: string, objects: string[], options: { source: string }) => removeTag(io, id, objects, options.source)),
    );
  asList(tags.command('list'))
    .description('List the tags on objects, those of an object together.')
    .argument('[tag]', 'only those with this identifier')
    .option('--source <name>', 'only those on objects of this source')
    .action(run((id: string | undefined, options: ListTagsOptions) => listTags(io, id, options)));
}

async function addTag(io: Io, id: string, objects: string[], options: AddOptions): Promise<void> {
  const request = { keys: parseKeys(options.source, objects), tag: { id, data: options.data ?? '' } };
  const { changed } = await withClient(io, 'objects', TagServiceService, (tags) => tags.attachTag(request));
  say(io, `${counted(changed, 'object')} changed`);
}

async function removeTag(io: Io, tagId: string, objects: string[], source: string): Promise<void> {
  const request = { keys: parseKeys(source, objects), tagId };
  const { changed } = await withClient(io, 'objects', TagServiceService, (tags) => tags.detachTag(request));
  say(io, `${counted(changed, 'object')} changed`);
}

function parseKeys(source: string, objects: string[]): ObjectKey[] {
  return objects.map((object) => parseKey(source, object));
}

async function listTags(io: Io, tagId = '', { source = '', ...options }: ListTagsOptions): Promise<void> {
  await withClient(io, 'objects', TagServiceService, (client) => {
    const records = inPages('', async (after) => {
      const { tags, next } = await client.listTags({ source, tagId, after, limit: options.limit ?? 0 });
      return { entries: tags.map(recordOf), next };
    });
    return printList(io, columns, records, options);
  });
}

function recordOf({ key, tag }: TaggedObject) {
  return { tag: tag!.id, source: key!.source, object: `${key!.type}/${key!.key}`, data: tag!.data || null };
}

const columns = ['tag', 'source', 'object', { name: 'data', none: '' }] as const;
