import { isRecord } from './members.js';
import type { Read } from './notification.js';
import { type Preset, presets, routingClasses } from './presets.js';

/** How a copy follows its registry. */
export type FollowKind = 'dump' | 'nrtm3' | 'nrtm4';

/** An entry of the file of origins: the kind, and its members. */
export interface Expanded {
  readonly kind: FollowKind;
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * The origin that `{"name", "follow"?, "classes"?, ...}` means, or the name alone: the facts of a known registry, for
 * "dump" (default), "nrtm3" or "nrtm4". Follows the classes of routing by default; any other member is one of that kind
 * and overrides the fact.
 */
export function expandPreset(given: unknown): Read<Expanded> {
  const entry = typeof given === 'string' ? { name: given } : given;
  if (!isRecord(entry)) return refused('must be the name of a registry, or an object with one');
  const { name, follow = 'dump', classes = routingClasses, ...others } = entry;
  const source = typeof name === 'string' ? name.toUpperCase() : '';
  const preset = Object.hasOwn(presets, source) ? presets[source] : undefined;
  if (preset === undefined) return refused(`name: must be one of ${Object.keys(presets).join(', ')}`);
  const files = filesOf(preset, classes);
  if ('fault' in files) return refused(files.fault);
  const common = { source, classes: files.classes };
  const { serial, encoding = 'latin1' } = preset;
  if (follow === 'dump') {
    const members = { ...common, urls: files.urls, ...(serial && { serialUrl: serial }), encoding, ...others };
    return { ok: true, value: { kind: 'dump', members } };
  }
  if (follow === 'nrtm3' && preset.nrtm3 !== undefined) {
    const members = { ...common, ...preset.nrtm3, dump: files.urls, serial, encoding, ...others };
    return { ok: true, value: { kind: 'nrtm3', members } };
  }
  if (follow === 'nrtm4' && preset.nrtm4 !== undefined) {
    return { ok: true, value: { kind: 'nrtm4', members: { source, classes, ...preset.nrtm4, ...others } } };
  }
  return refused(`follow: must be one of ${followKinds(preset).join(', ')}`);
}

/** How a registry can be followed. */
export function followKinds({ nrtm3, nrtm4 }: Preset): FollowKind[] {
  return ['dump', ...(nrtm3 ? (['nrtm3'] as const) : []), ...(nrtm4 ? (['nrtm4'] as const) : [])];
}

/** The files that have these classes: only those, where there is a file for each class. */
function filesOf({ dump, split }: Preset, classes: unknown): { urls: string[]; classes: unknown } | { fault: string } {
  if (split === undefined) return { urls: [dump!], classes };
  if (classes === 'all')
    return dump === undefined ? { urls: [split.url], classes: split.classes } : { urls: [dump], classes };
  const missing = Array.isArray(classes)
    ? classes.filter((name) => !split.classes.includes(String(name).toLowerCase()))
    : [];
  if (missing.length === 0) return { urls: [split.url], classes };
  return { fault: `classes: the registry has no file of ${missing.join(', ')}` };
}

function refused(fault: string): { ok: false; faults: string[] } {
  return { ok: false, faults: [fault] };
}
