import { keyAttributesOf, objectType, spelledKey } from '@cadastre/rpsl';
import { attributesOf, type Draft, draftOfText, submitted } from '../edit/draft.js';
import { asDraft } from '../edit/object-text.js';
import { storeWork, type TabStorage } from '../edit/saved-work.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import type { Proposal } from './proposal.js';
import type { StoredTexts } from './stored-texts.js';

/** One object of a text with several. */
export type PastedObject =
  | {
      readonly draft: Draft;
      /** Undefined without a key, and until the registry chooses it. */
      readonly name: ObjectName | undefined;
      /** Why the object is to be deleted: it has an attribute `delete`, as in mails to a registry. */
      readonly deletion: string | undefined;
    }
  | { readonly text: string; readonly fault: string };

/** The objects of a text, which blank lines separate. Omits lines that begin with `%` or `#`. */
export function pastedObjects(text: string, source: string): PastedObject[] {
  return parts(text).map((part) => pastedObject(part, source));
}

/** The proposals to write the objects of a text, without faulty ones. */
export function proposalsOf(
  objects: readonly PastedObject[],
  stored: StoredTexts,
): { readonly proposals: readonly Proposal[]; readonly reason: string } {
  const readable = objects.flatMap((object) => ('draft' in object ? [object] : []));
  const proposals = readable.map(({ draft, name, deletion }): Proposal => {
    const { text = '', tag = '' } = (name && stored.get(namePath(name))) ?? {};
    const isDeletion = deletion !== undefined;
    return { type: draft.type, name, before: text, attributes: submitted(draft), tag, isDeletion };
  });
  const reasons = readable.flatMap(({ deletion }) => (deletion ? [deletion] : []));
  return { proposals, reason: [...new Set(reasons)].join('; ') };
}

/** Passes a text to the page for several objects. Returns false if the tab cannot store it. */
export function storePasted(storage: TabStorage | undefined, text: string): boolean {
  // The page makes the key.
  const work = { text, key: '' };
  const page = paths.create('several');
  return storeWork(storage, page, { saved: new Date().toISOString(), account: '', resumes: true, work });
}

/** Whether a text has several objects. */
export function hasSeveralObjects(text: string): boolean {
  const [first, second] = parts(text);
  return first !== undefined && second !== undefined && asDraft(first) !== undefined && asDraft(second) !== undefined;
}

function parts(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)
    .map((part) => part.replace(/^[%#].*\n?/gm, ''))
    .filter((part) => part.trim() !== '');
}

function pastedObject(part: string, source: string): PastedObject {
  const text = `${part.trim()}\n`;
  const read = draftOfText(text);
  if ('fault' in read) return { text, fault: read.fault };
  const { type } = read;
  const deletion = read.rows.find(({ name }) => name === 'delete')?.value;
  const draft = { type, rows: read.rows.filter(({ name }) => name !== 'delete') };
  return { draft, name: nameOf(draft, source), deletion };
}

function nameOf(draft: Draft, source: string): ObjectName | undefined {
  const { name: type, keyAttributes } = objectType(draft.type)!;
  const attributes = attributesOf(draft).map(({ name, value }) => ({ name, raw: value }));
  const written = keyAttributesOf({ type, attributes }).map(({ value }) => value);
  const key = written.length === keyAttributes.length ? spelledKey(type, written.join(''))?.shown : undefined;
  return key === undefined || /^AUTO-/i.test(key) ? undefined : { source, type, key };
}
