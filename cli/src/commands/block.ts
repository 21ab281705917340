import { userInfo } from 'node:os';
import { type Block, BlockListServiceService } from '@cadastre/proto/auth';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { type Io, say } from '../io.js';
import { parseTime, shownTime } from './instant.js';
import { asList, type ListOptions, printList } from './results.js';

interface AddOptions {
  reason: string;
  until?: string;
  by: string;
}

/** Adds `cadastre block add|remove|list`. */
export function addBlockCommands(program: Command, io: Io, run: Run): void {
  const blocks = program.command('block').description('Block networks from the public interface.');
  blocks
    .command('add')
    .description('Block a network on every gateway within seconds. Replaces a block of the same network.')
    .argument('<prefix>', 'address or prefix; an IPv6 address means its /64')
    .requiredOption('--reason <text>', 'reason, for other operators only')
    .option('--until <time>', 'end of the block (ISO 8601); default: none')
    .option('--by <name>', 'name of the operator', userInfo().username)
    .action(run((prefix: string, options: AddOptions) => addBlock(io, prefix, options)));
  blocks
    .command('remove')
    .description('Remove the block of a network.')
    .argument('<prefix>', 'the network, as listed')
    .option('--by <name>', 'name of the operator', userInfo().username)
    .action(run((prefix: string, { by }: { by: string }) => removeBlock(io, prefix, by)));
  asList(blocks.command('list'))
    .description('List the current blocks, oldest first.')
    .action(run((options: ListOptions) => listBlocks(io, options)));
}

async function addBlock(io: Io, prefix: string, { reason, until, by }: AddOptions): Promise<void> {
  const request = { prefix, reason, addedBy: by, until: until === undefined ? undefined : parseTime('--until', until) };
  const { block } = await withClient(io, 'auth', BlockListServiceService, (client) => client.addBlock(request));
  say(io, `${block?.prefix} is blocked ${block?.until ? `until ${shownTime(block.until)}` : 'until it is removed'}`);
}

async function removeBlock(io: Io, prefix: string, removedBy: string): Promise<void> {
  const { block } = await withClient(io, 'auth', BlockListServiceService, (client) =>
    client.removeBlock({ prefix, removedBy }),
  );
  say(io, `${block?.prefix} is no longer blocked`);
}

async function listBlocks(io: Io, options: ListOptions): Promise<void> {
  const { blocks } = await withClient(io, 'auth', BlockListServiceService, (client) =>
    client.listBlocks({ knownVersion: 0n }),
  );
  const records = blocks.map(({ prefix, created, until, addedBy, reason }: Block) => {
    return { prefix, since: created ?? null, until: until ?? null, by: addedBy, reason };
  });
  await printList(io, columns, records, options);
}

const columns = ['prefix', 'since', 'until', 'by', 'reason'] as const;
