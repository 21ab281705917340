import type { Message } from './message.js';
import type { Attribute, RpslObject } from './object.js';
import type { ObjectTypeName } from './types.js';

const todo = (): never => {
  throw new Error('not written yet');
};
export type Parsed = { ok: true; object: RpslObject; warnings: Message[] } | { ok: false; messages: Message[] };
export function parseObject(_text: string, _options?: { expandShortNames?: boolean }): Parsed {
  return todo();
}
export interface DumpEntry {
  readonly text: string;
  readonly line: number;
  readonly tooLarge?: number;
}
export async function* splitDump(
  _chunks: AsyncIterable<string>,
  _options?: { maxObjectSize?: number },
): AsyncGenerator<DumpEntry> {
  todo();
}
export interface Key {
  readonly shown: string;
  readonly folded: string;
}
export function primaryKey(_o: RpslObject): Key | { messages: Message[] } {
  return todo();
}
export function parseKey(_type: ObjectTypeName, _text: string): Key | undefined {
  return todo();
}
export function foldKey(_type: ObjectTypeName, _shown: string): string {
  return todo();
}
export function keyAttributesOf(_o: RpslObject): { name: string; value: string }[] {
  return todo();
}
export function normalise(_o: RpslObject): { object: RpslObject; messages: Message[] } {
  return todo();
}
export function toLatin1(_text: string): { text: string; replaced: number } {
  return todo();
}
export function convertObject(_o: RpslObject): { object: RpslObject; messages: Message[] } {
  return todo();
}
export function controlCharacters(_o: RpslObject): Message[] {
  return todo();
}
export function validate(_o: RpslObject): Message[] {
  return todo();
}
export function filterObject(_o: RpslObject, _options: { unfiltered?: boolean; showAuth?: boolean }): RpslObject {
  return todo();
}
export function filterVersion(_o: RpslObject): RpslObject {
  return todo();
}
export function isFiltered(_o: RpslObject): boolean {
  return todo();
}
export interface Reference {
  readonly attribute: string;
  readonly attributeIndex: number;
  readonly value: string;
  readonly key: string;
  readonly types: readonly ObjectTypeName[];
}
export function referencesOf(_o: RpslObject): Reference[] {
  return todo();
}
export function linkOf(
  _attributeName: string,
  _value: string,
  _type: ObjectTypeName,
): { type: ObjectTypeName; key: string } | 'contact' | undefined {
  return todo();
}
export function templateText(_type: ObjectTypeName): string {
  return todo();
}
export function verboseTemplateText(_type: ObjectTypeName): string {
  return todo();
}
export const samples = {} as Record<ObjectTypeName, string>;
export type { Attribute };
