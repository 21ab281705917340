import { isAscii } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { timeText } from '@cadastre/changes';
import { type ObjectTypeName, placeholderPerson, printObject } from '@cadastre/rpsl';
import type { FileHeaders, FileStore } from '../files/file-store.js';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import { readPublicExport } from '../publish/public-export.js';
import { type Block, type PackedFile, packBlock, packedFile } from './packed-file.js';

export interface DumpOptions {
  readonly source: PublicSource;
  readonly objects: Pick<Objects, 'reader'>;
  readonly store: FileStore;
  readonly termsUrl: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** The properties of a dump. */
export interface WrittenDump {
  readonly serial: bigint;
  readonly objects: number;
}

/** The folder of the dump of a source in the store, and below the address of publications. */
export function dumpFolder(source: string): string {
  return `dumps/${source.toLowerCase()}/`;
}

/** Names in the folder of a source. */
export const dumpNames = {
  serial: (source: string) => `${source.toUpperCase()}.CURRENTSERIAL`,
  sums: 'SHA256SUMS',
};

/** The content of each file changes every day. */
const headers: FileHeaders = { contentType: 'application/gzip', cacheControl: 'no-cache' };
const textHeaders: FileHeaders = { contentType: 'text/plain;charset=utf-8', cacheControl: 'no-cache' };

type Put = (name: string, content: Readable | Buffer, headers: FileHeaders) => Promise<unknown>;

/**
 * Writes the dump of a source: all objects in one file, and those of each possible type in a file of their own, in ISO
 * 8859-1 and in UTF-8; then its serial, and last the checksums. Everything is from one moment, read once. Readers see
 * the dump of yesterday until the new one is complete, if the store supports that (`FileStore.replaceFolder`).
 */
export async function writeDump(o: DumpOptions): Promise<WrittenDump> {
  const { source, store, objects, signal } = o;
  const folder = dumpFolder(source.name);
  const exported = await readExport(objects, source, signal);
  const storing = (put: FileStore['put'], prefix: string): Put => {
    return (name, content, own) => put(prefix + name, content, { ...own, signal });
  };
  let written = 0;
  if (store.replaceFolder === undefined) written = await writeFiles(o, exported, storing(store.put, folder));
  else {
    await store.replaceFolder(folder, async (put) => {
      written = await writeFiles(o, exported, storing(put, ''));
    });
  }
  return { serial: exported.serial, objects: written };
}

/** Stores all files and returns the number of objects. */
async function writeFiles({ source, termsUrl, now }: DumpOptions, exported: Exported, put: Put): Promise<number> {
  const { serial } = exported;
  const name = `${source.name.toLowerCase()}.db`;
  const sums = new Map<string, string>();
  const terms = await inBoth(termsOf(source.name, serial, { began: now(), termsUrl }));
  const begin = (latin1Name: string, utf8Name: string) => beginPair([latin1Name, utf8Name], terms, { put, sums });
  let written = 0;
  const pages = blocksOf(exported.pages);
  try {
    let next = await pages.next();
    const whole = await begin(`${name}.gz`, `${name}.utf8.gz`);
    for (const type of source.types) {
      const split = await begin(`split/${name}.${type}.gz`, `split/${name}.${type}.utf8.gz`);
      for (; !next.done && next.value.type === type; next = await pages.next()) {
        const { block, objects } = next.value;
        await Promise.all([whole.add(block), split.add(block)]);
        written += objects;
      }
      await split.end();
    }
    if (!next.done) throw new Error(`the export has objects of the type ${next.value.type} in the wrong place`);
    await whole.end();
  } finally {
    await pages.return(undefined);
  }
  const serialText = Buffer.from(`${serial}\n`);
  sums.set(dumpNames.serial(source.name), hash('sha256', serialText));
  await put(dumpNames.serial(source.name), serialText, textHeaders);
  const lines = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([file, sum]) => `${sum}  ${file}\n`);
  await put(dumpNames.sums, Buffer.from(lines.join('')), textHeaders);
  return written;
}

/** A block in both encodings, which are often the same bytes. */
interface BothBlocks {
  readonly latin1: Block;
  readonly utf8: Block;
}

/** Two files with the same text in both encodings. */
interface Pair {
  add(blocks: BothBlocks): Promise<void>;
  end(): Promise<void>;
}

async function beginPair(
  names: readonly [latin1: string, utf8: string],
  terms: BothBlocks,
  { put, sums }: { readonly put: Put; readonly sums: Map<string, string> },
): Promise<Pair> {
  const [latin1, utf8] = names.map((name) => packedFile((content) => put(name, content, headers))) as [
    PackedFile,
    PackedFile,
  ];
  const add = async (blocks: BothBlocks) => {
    await Promise.all([latin1.add(blocks.latin1), utf8.add(blocks.utf8)]);
  };
  await add(terms);
  return {
    add,
    async end() {
      const ended = await Promise.all([latin1.end(), utf8.end()]);
      for (const [at, sum] of ended.entries()) sums.set(names[at]!, sum);
    },
  };
}

/** Objects of one type, compressed. */
interface TypeBlock {
  readonly type: string;
  readonly objects: number;
  readonly block: BothBlocks;
}

/** Larger blocks hardly compress better. */
const blockCharacters = 1 << 20;
/** Maximum blocks in compression while the next page is read. */
const maxAhead = 3;

async function* blocksOf(pages: Exported['pages']): AsyncGenerator<TypeBlock> {
  const packing: Promise<TypeBlock>[] = [];
  try {
    for await (const { type, text, objects } of joined(pages)) {
      const packed = inBoth(text).then((block) => ({ type, objects, block }));
      packed.catch(() => {}); // awaited below
      packing.push(packed);
      if (packing.length >= maxAhead) yield await packing.shift()!;
    }
    for (const packed of packing.splice(0)) yield await packed;
  } finally {
    await Promise.allSettled(packing);
  }
}

/** Joins pages of one type to texts of about the size of a block; an empty line precedes each object. */
async function* joined(pages: Exported['pages']): AsyncGenerator<{ type: string; text: string; objects: number }> {
  let held: string[] = [];
  let characters = 0;
  let last = '';
  function* flushed() {
    if (held.length > 0) yield { type: last, text: `\n${held.join('\n')}`, objects: held.length };
    held = [];
    characters = 0;
  }
  for await (const { type, texts } of pages) {
    if (type !== last) yield* flushed();
    last = type;
    for (const text of texts) {
      held.push(text);
      characters += text.length;
    }
    if (characters >= blockCharacters) yield* flushed();
  }
  yield* flushed();
}

async function inBoth(text: string): Promise<BothBlocks> {
  const bytes = Buffer.from(text, 'latin1');
  const latin1 = packBlock(bytes);
  if (isAscii(bytes)) return { latin1: await latin1, utf8: await latin1 };
  const [one, other] = await Promise.all([latin1, packBlock(Buffer.from(text))]);
  return { latin1: one, utf8: other };
}

/** The lines at the beginning of each file of a dump. */
function termsOf(
  source: string,
  serial: bigint,
  { began, termsUrl }: { readonly began: Date; readonly termsUrl: string },
): string {
  return `#
# Dump of the source ${source} of ${timeText(began)}, which has all changes up to serial ${serial}.
#
# It is subject to the terms and conditions of this registry:
# ${termsUrl}
#
# It has no persons, e-mail addresses, telephone numbers, free texts and password hashes: placeholders stand for them.
#
`;
}

/** The state of a source at one moment. */
interface Exported {
  readonly serial: bigint;
  /**
   * The public texts of objects, type by type in the order of `objectTypeNames`. In a source that may have persons, the
   * last one is their placeholder.
   */
  readonly pages: AsyncIterable<ExportedPage>;
}

export interface ExportedPage {
  readonly type: ObjectTypeName;
  readonly texts: readonly string[];
}

/** Begins to read the newest state of a source. */
async function readExport(
  objects: Pick<Objects, 'reader'>,
  source: PublicSource,
  signal: AbortSignal,
): Promise<Exported> {
  const { position, pages: publicPages } = await readPublicExport(objects, source, { signal });
  async function* pages(): AsyncGenerator<ExportedPage> {
    for await (const page of publicPages) {
      for (const [type, ofType] of Map.groupBy(page, (object) => object.type)) {
        yield { type: type as ObjectTypeName, texts: ofType.map(({ text }) => text) };
      }
    }
    if (source.types.includes('person')) yield { type: 'person', texts: [printObject(placeholderPerson(source.name))] };
  }
  return { serial: position.serial, pages: pages() };
}
