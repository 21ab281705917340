import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import { type Io, note, say } from '../io.js';
import {
  activateNextKey,
  addKey,
  type FolderKey,
  type KeyFolder,
  keyFiles,
  notesFile,
  readKeyFolder,
} from '../mirror-keys/key-folder.js';
import { shownTime } from './instant.js';
import { asReport, printJson, type ReportOptions } from './results.js';

const dayMs = 24 * 60 * 60 * 1_000;
/** How long notification files announce a key before it signs (draft-ietf-grow-nrtm-v4, key rotation). */
const announcedMs = 7 * dayMs;
/** How long a key should sign. */
const signsMs = 365 * dayMs;

/** Adds `cadastre mirror keys create|rotate|show`. */
export function addMirrorKeysCommands(mirror: Command, io: Io, run: Run): void {
  const keys = mirror.command('keys').description('Make, rotate and show the keys that sign what you publish.');
  const inFolder = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option('--folder <folder>', 'folder of the keys; default: CADASTRE_MIRROR_KEYS_DIR, or that of "make run"');
  inFolder('create', 'Make the first key, and print its public part, which mirrors need.').action(
    run((options: FolderOptions) => create(io, options)),
  );
  inFolder(
    'rotate',
    'Make the next key; or, when there is one that was announced for a week, sign with it from now on.',
  )
    .option('--now', 'do not wait for the end of the week: mirrors that have not seen the announcement are lost')
    .action(run((options: RotateOptions) => rotate(io, options)));
  asReport(inFolder('show', 'Show the keys, their fingerprints and dates, and what to do next.'))
    .addOption(insteadOfJson('--public', 'print only the public part of the key that signs (PEM), which mirrors need'))
    .addOption(
      insteadOfJson(
        '--kubernetes <name>',
        'print a Secret of this name with the private keys instead, for "kubectl apply"',
      ),
    )
    .action(run((options: ShowOptions) => show(io, options)));
}

function insteadOfJson(flags: string, description: string): Option {
  return new Option(flags, description).conflicts('json');
}

interface FolderOptions {
  folder?: string;
}

interface RotateOptions extends FolderOptions {
  now?: true;
}

interface ShowOptions extends FolderOptions, ReportOptions {
  public?: true;
  kubernetes?: string;
}

function folderOf(io: Io, { folder }: FolderOptions): string {
  return resolve(folder || io.env.CADASTRE_MIRROR_KEYS_DIR || join(io.env.CADASTRE_DATA_DIR || '.data', 'mirror-keys'));
}

async function create(io: Io, options: FolderOptions): Promise<void> {
  const folder = folderOf(io, options);
  const { next } = await readKeyFolder(folder);
  if (next) throw new CommandFailure(`${join(folder, keyFiles.next)} exists; "mirror keys rotate" makes it sign`);
  const { fingerprint, pem } = await addKey(folder, 'active', new Date());
  note(io, `The key ${fingerprint} is in ${folder}. Keep a copy: mirrors trust what it signs.`);
  note(io, 'Give this to those who mirror you:');
  say(io, pem.trimEnd());
}

async function rotate(io: Io, options: RotateOptions): Promise<void> {
  const folder = folderOf(io, options);
  const found = await readKeyFolder(folder);
  const active = signing(folder, found);
  const { next } = found;
  const now = new Date();
  if (!next) {
    const { fingerprint } = await addKey(folder, 'next', now);
    say(io, `The next key is ${fingerprint}.`);
    say(io, 'The mirror service announces it as soon as it has the file. Mirrors learn it from the announcement.');
    say(
      io,
      `From ${shownTime(new Date(now.getTime() + announcedMs))}: "cadastre mirror keys rotate" again, to sign with it.`,
    );
    return;
  }
  const due = new Date(next.created.getTime() + announcedMs);
  if (now < due && !options.now) {
    throw new CommandFailure(
      `The next key may sign from ${shownTime(due)}: mirrors have a week to see its announcement. --now does not wait, and ` +
        'followers without the announcement must configure the new public key by hand.',
    );
  }
  await activateNextKey(folder, now);
  say(io, `${next.fingerprint} signs from now on, as soon as the mirror service has the file.`);
  say(io, `${active.fingerprint} is gone: mirrors never accept it again.`);
}

async function show(io: Io, { kubernetes, ...options }: ShowOptions): Promise<void> {
  const folder = folderOf(io, options);
  const found = await readKeyFolder(folder);
  if (options.public) {
    say(io, signing(folder, found).pem.trimEnd());
    return;
  }
  if (kubernetes !== undefined) return showSecret(io, folder, found, kubernetes);
  const toDo = whatNext(found, new Date());
  if (options.json) {
    const { active, next, retired } = found;
    printJson(io, { key: recordOf(active), nextKey: recordOf(next), retired, toDo });
    return;
  }
  for (const [title, key] of [['Signs', found.active] as const, ['Next', found.next] as const]) {
    for (const line of key ? linesOf(title, key) : [`${title}: none`, '']) say(io, line);
  }
  for (const { fingerprint, retired } of found.retired) say(io, `Retired ${shownTime(retired)}: ${fingerprint}`);
  say(io, `To do: ${toDo}`);
}

function signing(folder: string, { active }: KeyFolder): FolderKey {
  if (active) return active;
  throw new CommandFailure(`${folder} has no ${keyFiles.active}; "mirror keys create" makes it`);
}

function recordOf(key: FolderKey | undefined) {
  if (key === undefined) return null;
  const { fingerprint, created, activated = null, pem } = key;
  return { fingerprint, created, activated, pem };
}

function linesOf(title: string, { fingerprint, created, activated, pem }: FolderKey): string[] {
  return [
    `${title}: ${fingerprint}`,
    `Created: ${shownTime(created)}${activated ? `; signs since ${shownTime(activated)}` : ''}`,
    ...pem.trimEnd().split('\n'),
    '',
  ];
}

function whatNext({ active, next }: KeyFolder, now: Date): string {
  if (!active) return 'make the first key by "cadastre mirror keys create"';
  if (next) {
    const due = new Date(next.created.getTime() + announcedMs);
    return now < due
      ? `announce the next key until ${shownTime(due)}, then "cadastre mirror keys rotate"`
      : '"cadastre mirror keys rotate", to sign with the next key';
  }
  const due = new Date((active.activated ?? active.created).getTime() + signsMs - announcedMs);
  return now < due ? `nothing until ${shownTime(due)}` : '"cadastre mirror keys rotate", to make the next key';
}

/** Prints the manifest of a Secret with the files that the mirror service reads. */
async function showSecret(io: Io, folder: string, found: KeyFolder, name: string): Promise<void> {
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name))
    throw new CommandFailure(`"${name}" is no name of a Secret`);
  signing(folder, found);
  if (io.stdout.isTTY)
    throw new CommandFailure('This prints private keys: let "kubectl apply -f -" read it, or a file');
  const hasNotes = existsSync(join(folder, notesFile));
  const files = [keyFiles.active, ...(found.next ? [keyFiles.next] : []), ...(hasNotes ? [notesFile] : [])];
  const pems = await Promise.all(files.map((file) => readFile(join(folder, file))));
  const data = Object.fromEntries(files.map((file, n) => [file, pems[n]!.toString('base64')]));
  // JSON is YAML, too.
  const manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', data };
  say(io, JSON.stringify(manifest, undefined, 2));
}
