import { readFile } from 'node:fs/promises';
import { expandPreset, type FollowKind, followKinds, presets } from '@cadastre/nrtm';
import { unlessAbsent } from '@cadastre/service';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import { untilInterrupted } from '../interrupts.js';
import { type Io, note } from '../io.js';
import { writeTexts } from './output.js';
import { asList, type ListOptions, printJson, printList } from './results.js';

/** Adds `cadastre mirror presets` and `cadastre mirror add`. */
export function addMirrorAddCommands(mirror: Command, io: Io, run: Run): void {
  asList(mirror.command('presets').description('List the registries whose addresses Cadastre knows.')).action(
    run((options: ListOptions) => listPresets(io, options)),
  );
  mirror
    .command('add')
    .description('Add known registries to the file of origins (CADASTRE_MIRROR_ORIGINS_FILE); print them without one.')
    .argument('<registry...>', 'names as in "mirror presets"; their copies get the names NAME-GRS')
    .option('--file <file>', 'the file of origins, which this changes or makes')
    .addOption(new Option('--follow <kind>', 'how to follow them').choices(['dump', 'nrtm3', 'nrtm4']).default('dump'))
    .option('--classes <list>', 'classes of objects, separated by commas, or "all"; default: those of routing')
    .option('--key <file>', 'for nrtm4: the public key of the registry (PEM), as the mirror service finds it')
    .action(run((names: string[], options: AddOptions) => add(io, names, options)));
}

interface AddOptions {
  file?: string;
  follow: FollowKind;
  classes?: string;
  key?: string;
}

async function listPresets(io: Io, options: ListOptions): Promise<void> {
  const known = Object.entries(presets).map(([name, preset]) => ({
    name,
    follow: followKinds(preset).join(','),
    dump: preset.split?.url ?? preset.dump!,
    nrtm3: preset.nrtm3 ? `${preset.nrtm3.host}:${preset.nrtm3.port}` : null,
    nrtm4: preset.nrtm4?.url ?? null,
  }));
  await printList(io, [{ name: 'name', head: 'REGISTRY' }, 'follow', 'dump', 'nrtm3', 'nrtm4'], known, options);
}

async function add(io: Io, names: string[], options: AddOptions): Promise<void> {
  const added = Object.fromEntries(names.map((name) => [`${name.toUpperCase()}-GRS`, entryOf(name, options)]));
  const { file } = options;
  if (file === undefined) printJson(io, added);
  else {
    const origins = await originsIn(file);
    const twice = Object.keys(origins).find((source) => Object.hasOwn(added, source.toUpperCase()));
    if (twice !== undefined) throw new CommandFailure(`${file} has ${twice} already`);
    const text = `${JSON.stringify({ ...origins, ...added }, null, 2)}\n`;
    await untilInterrupted(io, (signal) => writeTexts(io, file, 'utf8', [text], signal));
  }
  note(io, `Name the copies in CADASTRE_GRS_SOURCES of all services too: ${Object.keys(added).join(',')}`);
  if (options.follow === 'nrtm3') note(io, 'Ask each registry to allow your addresses: few serve NRTM to everybody.');
}

function entryOf(name: string, { follow, classes, key }: AddOptions): object {
  if (follow === 'nrtm4' && key === undefined) throw new CommandFailure('nrtm4 needs --key, the public key');
  const list = classes === undefined || classes === 'all' ? classes : classes.split(',').map((one) => one.trim());
  const chosen = {
    name: name.toUpperCase(),
    ...(follow === 'dump' ? {} : { follow }),
    ...(list === undefined ? {} : { classes: list }),
    ...(follow === 'nrtm4' && { key }),
  };
  const expanded = expandPreset(chosen);
  if (!expanded.ok) throw new CommandFailure(`${name}: ${expanded.faults.join('; ')}`);
  return { preset: Object.keys(chosen).length === 1 ? chosen.name : chosen };
}

async function originsIn(file: string): Promise<Record<string, unknown>> {
  const text = await unlessAbsent(readFile(file, 'utf8'));
  if (text === undefined) return {};
  try {
    const origins: unknown = JSON.parse(text);
    if (typeof origins === 'object' && origins !== null && !Array.isArray(origins)) return { ...origins };
  } catch {
    // Said below.
  }
  throw new CommandFailure(`${file} is no JSON object of origins`);
}
