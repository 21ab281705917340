import { type Key, parseObject, primaryKey, type RpslObject } from '@cadastre/rpsl';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';

/** What is wanted with one object. */
export interface Update {
  readonly object: RpslObject;
  /** Absent when the object has none, which the objects service will say. */
  readonly key: Key | undefined;
  /** Reasons for its deletion; empty unless it is to be deleted. */
  readonly deletions: readonly string[];
}

/** A text with objects, taken apart. */
export interface UpdateMessage {
  readonly updates: readonly Update[];
  /** Paragraphs that are no objects. */
  readonly unreadable: readonly string[];
  /** The pseudo attribute "dry-run" stands somewhere; it counts for the whole message. */
  readonly dryRun: boolean;
}

interface Paragraph {
  readonly text: string;
  readonly deletions: readonly string[];
  readonly dryRun: boolean;
}

const secretLine = /^(password|override)[ \t]*:/im;
const pseudoLine = /^(delete|dry-run)[ \t]*:[ \t]*(.*)$/i;

/** Throws a Refusal (400) when a line of a text carries a secret (decision W8). */
export function refuseSecrets(text: string): void {
  const name = secretLine.exec(text)?.[1];
  if (name !== undefined) throw new Refusal(400, messages.secretParameter(name.toLowerCase()));
}

/** Takes a text apart: blank lines separate objects. Throws a Refusal (400) for secrets, or more than `mostObjects`. */
export function readUpdateMessage(text: string, mostObjects: number): UpdateMessage {
  const lines = text.replace(/\r\n?/g, '\n');
  refuseSecrets(lines);
  const paragraphs = lines.split(/\n(?:[ \t]*\n)+/).map(readParagraph);
  const written = paragraphs.filter((paragraph) => paragraph.text.trim() !== '');
  if (written.length > mostObjects) throw new Refusal(400, messages.tooManyObjects(mostObjects));
  const read = written.map((paragraph) => updateOf(paragraph) ?? paragraph.text);
  return {
    updates: read.filter((one) => typeof one !== 'string'),
    unreadable: read.filter((one) => typeof one === 'string'),
    dryRun: paragraphs.some((paragraph) => paragraph.dryRun),
  };
}

function readParagraph(paragraph: string): Paragraph {
  const lines = paragraph.split('\n').map((line) => ({ line, pseudo: pseudoLine.exec(line) }));
  const pseudos = lines.flatMap(({ pseudo }) =>
    pseudo ? [{ name: pseudo[1]!.toLowerCase(), value: pseudo[2]! }] : [],
  );
  return {
    text: lines.flatMap(({ line, pseudo }) => (pseudo ? [] : [line])).join('\n'),
    deletions: pseudos.filter(({ name }) => name === 'delete').map(({ value }) => value.trim()),
    dryRun: pseudos.some(({ name }) => name === 'dry-run'),
  };
}

function updateOf({ text, deletions }: Paragraph): Update | undefined {
  const parsed = parseObject(text, { expandShortNames: true });
  if (!parsed.ok) return undefined;
  const key = primaryKey(parsed.object);
  return { object: parsed.object, key: 'messages' in key ? undefined : key, deletions };
}
