import { counted } from '../counted.js';
import { CommandFailure } from '../failure.js';
import { type ExitCode, exitCode, type Io, note, say } from '../io.js';
import { messageText, type Registry } from './registry.js';

/** Objects that the registry writes together, all or none. */
const batchSize = 100;

/** An object to write, with a name for messages. */
export interface NamedObject {
  readonly name: string;
  readonly body: object;
}

interface WriteOptions {
  readonly dryRun?: true;
  readonly reason?: string;
}

/**
 * Writes objects, at most a hundred in a transaction, and prints the outcome of each. Ends at the first transaction that
 * is refused: its objects stay as they are.
 */
export async function writeBatches(
  io: Io,
  registry: Registry,
  objects: readonly NamedObject[],
  { dryRun, reason }: WriteOptions,
): Promise<ExitCode> {
  const query = { ...(dryRun && { 'dry-run': true }), ...(reason !== undefined && { 'delete-reason': reason }) };
  for (let at = 0; at < objects.length; at += batchSize) {
    const batch = objects.slice(at, at + batchSize);
    const body = { objects: { object: batch.map((one) => one.body) } };
    const { isRefused, results, errormessages } = await registry.post(['batch', registry.source], query, body);
    if (results === undefined) throw new CommandFailure('The registry answered without results');
    for (const [n, { outcome, objectmessages }] of results.result.entries()) {
      say(io, `${outcome.padEnd(outcomeWidth)}  ${batch[n]?.name ?? ''}`);
      for (const message of objectmessages?.objectmessage ?? [])
        note(io, `  ${message.severity}: ${messageText(message)}`);
    }
    if (!isRefused) continue;
    for (const message of errormessages?.errormessage ?? []) {
      if (message.severity === 'Error' && message.attribute === undefined) note(io, messageText(message));
    }
    const written = at === 0 ? 'Nothing was written' : `${counted(at, 'object')} before these were written`;
    note(io, `cadastre: The registry refused ${counted(batch.length, 'object')}. ${written}.`);
    return exitCode.failed;
  }
  if (dryRun) note(io, 'This was a dry run: nothing was written.');
  return exitCode.done;
}

const outcomeWidth = 'unauthorised'.length;
