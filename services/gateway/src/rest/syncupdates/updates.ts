import type { Principal } from '@cadastre/proto/registry';
import { type Key, parseObject, primaryKey, type RpslObject, referencesOf } from '@cadastre/rpsl';
import { type BodyLimits, lineEnd, maxLines } from '../../body/whois-resources.js';
import { HttpError } from '../../errors.js';
import { messages } from '../../ripe-messages.js';

/** One object of a text to create, update or delete. */
export interface Update {
  readonly object: RpslObject;
  /** Absent when the object has no valid key; the objects service refuses such an object. */
  readonly key: Key | undefined;
  /** Reasons for its deletion; empty for a create or update. */
  readonly deletions: readonly string[];
  /** Its sender: the caller, and the signers of its block. */
  readonly principal: Principal | undefined;
}

/** The content of a text of updates. */
export interface Updates {
  readonly updates: readonly Update[];
  /** Paragraphs that are not objects. */
  readonly unreadable: readonly string[];
  /** Whether the pseudo attribute "dry-run" occurs anywhere; it applies to the whole text. */
  readonly dryRun: boolean;
}

type UpdateLimits = Pick<BodyLimits, 'objects' | 'attributes'>;

interface Paragraph {
  readonly text: string;
  readonly deletions: readonly string[];
  readonly dryRun: boolean;
}

const secretLine = /^(password|override)[ \t]*:/im;
const pseudoLine = /^(delete|dry-run)[ \t]*:/i;

/** Throws an HttpError (400) when a line contains a secret (decision W8). */
export function refuseSecrets(text: string): void {
  const name = secretLine.exec(text)?.[1];
  if (name !== undefined) throw new HttpError(400, messages.secretParameter(name.toLowerCase()));
}

/**
 * Reads the objects of a principal, which blank lines separate. Throws an HttpError (400) for secrets and exceeded
 * limits.
 */
export function readUpdates(text: string, limits: UpdateLimits, principal?: Principal): Updates {
  refuseSecrets(text);
  const paragraphs = paragraphsOf(text, limits).map(readParagraph);
  const written = paragraphs.filter((paragraph) => paragraph.text.trim() !== '');
  if (written.length > limits.objects) throw new HttpError(400, messages.tooManyObjects(limits.objects));
  const read = written.map((paragraph) => updateOf(paragraph, principal) ?? paragraph.text);
  return {
    updates: read.filter((one) => typeof one !== 'string'),
    unreadable: read.filter((one) => typeof one === 'string'),
    dryRun: paragraphs.some((paragraph) => paragraph.dryRun),
  };
}

/** The lines of each paragraph. Stops at the first exceeded limit. */
function paragraphsOf(text: string, limits: UpdateLimits): string[][] {
  const max = maxLines(limits);
  const lines = text.split(lineEnd, max + 1);
  if (lines.length > max) throw new HttpError(400, messages.tooManyLines(max));
  const paragraphs: string[][] = [];
  let attributes = 0;
  let open: string[] | undefined;
  for (const line of lines) {
    if (isBlank(line)) {
      open = undefined;
      continue;
    }
    if (!/^[ \t+]/.test(line) && ++attributes > limits.attributes) {
      throw new HttpError(400, messages.tooManyAttributes(limits.attributes));
    }
    if (open === undefined) {
      open = [];
      paragraphs.push(open);
    }
    open.push(line);
  }
  return paragraphs;
}

function isBlank(line: string): boolean {
  return !/[^ \t]/.test(line);
}

function readParagraph(lines: readonly string[]): Paragraph {
  const isPseudo = lines.map((line) => pseudoLine.test(line));
  const pseudos = lines.filter((_, index) => isPseudo[index]).map(pseudoOf);
  return {
    text: lines.filter((_, index) => !isPseudo[index]).join('\n'),
    deletions: pseudos.filter(({ name }) => name === 'delete').map(({ value }) => value),
    dryRun: pseudos.some(({ name }) => name === 'dry-run'),
  };
}

function pseudoOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
}

function updateOf({ text, deletions }: Paragraph, principal: Principal | undefined): Update | undefined {
  const parsed = parseObject(text, { expandShortNames: true });
  if (!parsed.ok) return undefined;
  const key = primaryKey(parsed.object);
  return { object: parsed.object, key: 'messages' in key ? undefined : key, deletions, principal };
}

/** Generated keys, by their placeholders ("auto-1"). */
export type GeneratedKeys = ReadonlyMap<string, string>;

/**
 * Groups updates to write together, because one principal sends them with a common placeholder for a key. Preserves
 * their order.
 */
export function groupsOf(updates: readonly Update[]): Update[][] {
  const groups: { updates: Update[]; placeholders: Set<string> }[] = [];
  for (const update of updates) {
    const placeholders = placeholdersIn(update);
    const related = groups.filter(
      (group) =>
        group.updates[0]!.principal === update.principal &&
        [...placeholders].some((one) => group.placeholders.has(one)),
    );
    const [first, ...others] = related;
    if (first === undefined) {
      groups.push({ updates: [update], placeholders });
      continue;
    }
    for (const other of others) groups.splice(groups.indexOf(other), 1);
    first.updates = [...related.flatMap((group) => group.updates), update];
    first.placeholders = new Set([...related.flatMap((group) => [...group.placeholders]), ...placeholders]);
  }
  return groups.map((group) => group.updates);
}

/** The placeholder in the key of an update. */
export function ownPlaceholder({ key, deletions }: Update): string | undefined {
  return key === undefined || deletions.length > 0 ? undefined : placeholderOf(key.shown);
}

/** Replaces the placeholders in an update with generated keys. */
export function withKeys(update: Update, generated: GeneratedKeys): Update {
  const { type, attributes } = update.object;
  const keyOf = (value: string) => generated.get(placeholderOf(value) ?? '');
  const references = referencesOf(update.object).filter(({ value }) => keyOf(value) !== undefined);
  const referring = new Set(references.map(({ attributeIndex }) => attributeIndex));
  const keyed = attributes.map((attribute, index) =>
    referring.has(index)
      ? { name: attribute.name, raw: attribute.raw.replace(/#.*|[\w-]+/g, (part) => keyOf(part) ?? part) }
      : attribute,
  );
  return { ...update, object: { type, attributes: keyed } };
}

function placeholdersIn(update: Update): Set<string> {
  if (update.deletions.length > 0) return new Set();
  const values = [ownPlaceholder(update), ...referencedPlaceholders(update.object)];
  return new Set(values.filter((value) => value !== undefined));
}

function referencedPlaceholders(object: RpslObject): (string | undefined)[] {
  return referencesOf(object).map(({ value }) => placeholderOf(value));
}

/** "AUTO-1", with or without the requested initials. */
function placeholderOf(value: string): string | undefined {
  return /^(auto-\d+)[a-z]*$/i.exec(value)?.[1]?.toLowerCase();
}
