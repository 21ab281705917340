// Extracts one file from a ZIP archive, so that no `unzip` program is needed.
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const centralHeaderSize = 46;
const localHeaderSize = 30;

/** The content of the entry with that name. */
export function readZipEntry(file, name) {
  const zip = readFileSync(file);
  const end = zip.lastIndexOf(endSignature);
  let at = zip.readUInt32LE(end + 16);
  for (let entry = 0; entry < zip.readUInt16LE(end + 10); entry += 1) {
    const nameSize = zip.readUInt16LE(at + 28);
    const nameStart = at + centralHeaderSize;
    if (zip.toString('utf8', nameStart, nameStart + nameSize) === name) return contentOf(zip, at);
    at = nameStart + nameSize + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${file} has no ${name}`);
}

function contentOf(zip, at) {
  const isDeflated = zip.readUInt16LE(at + 10) === 8;
  const size = zip.readUInt32LE(at + 20);
  const local = zip.readUInt32LE(at + 42);
  const start = local + localHeaderSize + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + size);
  return isDeflated ? inflateRawSync(data) : data;
}
