import {
  asciiUpperCase,
  cleanValue,
  controlCharacters,
  type DumpEntry,
  firstMessages,
  firstOf,
  formatMessage,
  hasControlCharacter,
  isNonAuthoritative,
  keyAttributesOf,
  keyForm,
  type Message,
  normalise,
  type ObjectTypeName,
  parseForeignKey,
  parseKey,
  parseObject,
  primaryKey,
  printObject,
  type RpslObject,
  replaceValue,
  toLatin1,
  withArticle,
  withoutControlCharacters,
} from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service/errors';
import { indexedTexts } from '../store/references.js';
import type { Source } from '../store/sources.js';
import { type Span, spanOfObject } from '../store/spans.js';
import { foreignStructureErrors, structureErrors } from './structure.js';

/** An object of a dump, ready to be stored. */
export interface LoadedObject {
  readonly type: ObjectTypeName;
  /** Folded primary key. */
  readonly key: string;
  readonly text: string;
  /** The value of `created`, if there is one. */
  readonly created: Date | undefined;
  readonly modified: Date | undefined;
  /** Its references: the texts that the index of references hashes, without subkeys of a key-cert. */
  readonly references: readonly string[];
  readonly span: Span | undefined;
}

/** The form of a key in the sets of a load. */
export function namedKey(id: { readonly type: string; readonly key: string }): string {
  return `${id.type} ${id.key}`;
}

/** A part of a dump that is not stored. */
export interface Rejection {
  /** The line where it starts, from 1. */
  readonly line: number;
  /** Type and key as far as they are readable. */
  readonly name: string;
  readonly reasons: readonly string[];
  /** Type and key of the object, when they are certain. */
  readonly id?: { readonly type: ObjectTypeName; readonly key: string };
}

export type Read =
  | { readonly ok: true; readonly object: LoadedObject }
  | { readonly ok: false; readonly rejection: Rejection };

/** The source that a load fills. */
export interface LoadedSource extends Pick<Source, 'name' | 'kind'> {
  /** The name of the source in the registry of a copy; for other sources their name. */
  readonly origin: string;
}

/**
 * The source of a load. `origin` is the name in the registry of a copy, by default the name of the copy without "-GRS".
 * Errors: ServiceError 'invalid' for the origin of a source that is not a copy.
 */
export function loadedSource({ name, kind }: Source, origin: string | undefined): LoadedSource {
  if (kind === 'main') {
    if (origin !== undefined) throw new ServiceError('invalid', `${name} is not a copy of another registry`);
    return { name, kind, origin: name };
  }
  return { name, kind, origin: asciiUpperCase(origin ?? name.replace(/-GRS$/, '')) };
}

/**
 * Reads one object of a dump of a source (decision W15). Its structure, key and source must be valid; its values may be
 * outdated, and the objects that it refers to may be missing. A copy of another registry accepts that registry's
 * attributes and names (ADR 0033).
 */
export function readObject(entry: DumpEntry, source: LoadedSource): Read {
  if (entry.tooLarge !== undefined) {
    return reject(entry, `object of ${entry.tooLarge} characters`, ['The object is too large']);
  }
  const text = toLatin1(entry.text).text;
  const isCopy = source.kind === 'grs';
  const parsed = parseObject(isCopy ? withoutControlCharacters(text) : text, { expandShortNames: true });
  if (!parsed.ok) return reject(entry, entry.text.split('\n', 1)[0]!.trim().slice(0, 80), reasons(parsed.messages));
  const { object } = normalise(parsed.object);
  const key = primaryKey(object);
  if ('messages' in key) return reject(entry, nameOf(object), reasons(key.messages));
  const form = isCopy ? reasons(foreignStructureErrors(object)) : formReasons(object, entry.text);
  const found = [...keyReasons(object, key.shown, isCopy), ...sourceReasons(object, source), ...form];
  if (found.length > 0) return reject(entry, nameOf(object), found, { type: object.type, key: key.folded });
  return { ok: true, object: loaded(isCopy ? inSource(object, source.name) : object, key.folded) };
}

function loaded(object: RpslObject, key: string): LoadedObject {
  const created = timestamp(object, 'created');
  return {
    type: object.type,
    key,
    text: printObject(object),
    created,
    modified: timestamp(object, 'last-modified') ?? created,
    references: indexedTexts(object, []),
    span: spanOfObject(object),
  };
}

/** Callers find objects by the keys that they can send, so a key that no caller can send is invalid. */
function keyReasons({ type }: RpslObject, shown: string, foreign: boolean): string[] {
  const key = foreign ? parseForeignKey(type, shown) : parseKey(type, shown);
  return key ? [] : [`Not the key of ${withArticle(type)}. Expected: ${keyForm(type, { foreign })}`];
}

/** An object without source may be the part of an object that a broken transfer has left. */
function sourceReasons(object: RpslObject, { name, kind, origin }: LoadedSource): string[] {
  const attribute = firstOf(object, 'source');
  if (attribute === undefined) return ['The object does not say its source'];
  const source = asciiUpperCase(cleanValue(attribute));
  if (source === name || source === origin || (kind === 'main' && isNonAuthoritative(object, name))) return [];
  return [`The object is of the source ${cleanValue(attribute)}, not of ${origin}`];
}

/** The object of another registry with the name of its copy as source. */
function inSource(object: RpslObject, name: string): RpslObject {
  const attributes = object.attributes.map((attribute) =>
    attribute.name === 'source' ? replaceValue(attribute, name) : attribute,
  );
  return { type: object.type, attributes };
}

function formReasons(object: RpslObject, text: string): string[] {
  return reasons([...structureErrors(object), ...(hasControlCharacter(text) ? controlCharacters(object) : [])]);
}

const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function timestamp(object: RpslObject, name: string): Date | undefined {
  const attribute = firstOf(object, name);
  const value = attribute && cleanValue(attribute);
  if (value === undefined || !timestampForm.test(value)) return undefined;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

function reject(entry: DumpEntry, name: string, why: readonly string[], id?: Rejection['id']): Read {
  const rejection = { line: entry.line, name, reasons: why };
  return { ok: false, rejection: id === undefined ? rejection : { ...rejection, id } };
}

function reasons(messages: readonly Message[]): string[] {
  return firstMessages(messages).map((message) =>
    message.attribute === undefined ? formatMessage(message) : `${message.attribute.name}: ${formatMessage(message)}`,
  );
}

function nameOf(object: RpslObject): string {
  return [object.type, ...keyAttributesOf(object).map((attribute) => attribute.value)].join(' ');
}
