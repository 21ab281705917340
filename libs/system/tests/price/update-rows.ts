import { bounds } from './bounds.js';
import { bomb, form, gzipped, multipart, multipartType, post, repeated, text } from './documents.js';
import { nestedDer } from './hostile-keys.js';
import { hundred, parsed, type Row, rowsOf, type Sender } from './row.js';
import { person } from './write-rows.js';

const update = 'POST /syncupdates/{source}';
const path = '/syncupdates/TEST?dry-run';
const cmsTypes = ['application/pkcs7-mime', 'application/x-pkcs7-mime', 'application/cms'];

const begin = '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n';
const signature = '-----BEGIN PGP SIGNATURE-----\n\niQ==\n=aaaa\n-----END PGP SIGNATURE-----\n';

/** A body of at most this many octets. */
type Body = readonly [what: string, body: (max: number) => string | Buffer, headers?: Record<string, string>];

const compressed = { 'content-encoding': 'gzip' };
const objects = (count: number) => `${text(person())}\n`.repeat(count);
const withLines = (lines: string) => text(person()).replace('mnt-by', `${lines}mnt-by`);

/** Texts with updates, or without any. */
const texts: readonly Body[] = [
  ['line ends', (max) => `a${'\n'.repeat(max)}b`],
  ['line ends, compressed', (max) => gzipped(`a${'\n'.repeat(max)}b`), compressed],
  ['a bomb', bomb, compressed],
  ['spaces between line ends', (max) => `a\n${' '.repeat(max)}\nb`],
  ['lines of spaces', (max) => `a\n${repeated('  \n', max)}b`],
  ['carriage returns', (max) => `a${'\r'.repeat(max)}b`],
  ['paragraphs', (max) => repeated('a\n\n', max)],
  ['too many objects', () => objects(bounds.bodyObjects + 1)],
  ['as many objects as may be', () => objects(bounds.bodyObjects)],
  ['large objects', (max) => `${withLines(`remarks: ${repeated('a ', max / 100 - 250)}\n`)}\n`.repeat(100)],
  ['objects of many attributes', (max) => `${withLines(repeated('remarks:\n', max / 100 - 250))}\n`.repeat(100)],
  ['an object of many attributes', (max) => withLines(repeated('remarks:\n', max - 250))],
  ['as many attributes as may be', () => withLines('remarks:\n'.repeat(bounds.bodyAttributes - 20))],
  ['an object of many continuation lines', (max) => withLines(`remarks: a\n${repeated('+\n', max - 250)}`)],
  ['a long list of maintainers', (max) => text(person(['mnt-by', repeated('A-MNT,', max - 250)]))],
  ['deletions', (max) => `${text(person())}${repeated('delete: a\n', max - 250)}`],
  ['dry runs', (max) => `${text(person())}${repeated('dry-run:\n', max - 250)}`],
  ['a long line', (max) => repeated('a', max)],
  ['colons', (max) => repeated(':', max)],
  ['hash signs', (max) => repeated('#\n', max)],
  ['zeros', (max) => Buffer.alloc(max)],
  ['lines that are not in latin-1', (max) => repeated('漢\n', max / 2)],
];

/** Texts that look signed. The second of two lengths is within the limit of signed texts. */
const signedTexts: readonly Body[] = [1_000_000, bounds.signedCharacters - 500].flatMap((length): Body[] => {
  const within = (max: number) => Math.min(max - 500, length);
  const lines = length > bounds.signedCharacters ? '' : `, of ${bounds.signedLines} lines`;
  const long = (piece: string, max: number) => repeated(piece, within(max));
  const body = (piece: string) => (max: number) => {
    const all = long(piece, max);
    const some = all.split('\n').slice(0, bounds.signedLines - 20);
    return `${begin}${lines === '' ? all : some.join('\n')}\n${signature}`;
  };
  return [
    [`an unsigned text${lines}`, body('aaaaaaaaaaaaaa\n')],
    [`short lines${lines}`, body('\n')],
    [`escaped dashes${lines}`, body('- -\n')],
    [`spaces at the ends of lines${lines}`, body(' \t')],
    [`a long signature${lines}`, (max) => `${begin}a\n${signature.replace('iQ==', long(`${'A'.repeat(64)}\n`, max))}`],
    [`many signatures${lines}`, (max) => `${begin}a\n${long(signature, max)}`],
    [`many beginnings${lines}`, (max) => `${long(begin, max)}a\n${signature}`],
    [`beginnings of lines${lines}`, (max) => `a\n${long('-----BEGIN PGP SIGNED MESSAGE----\n', max)}`],
    [
      `a long header${lines}`,
      (max) => `-----BEGIN PGP SIGNED MESSAGE-----\n${long('Hash: SHA256\n', max)}\na\n${signature}`,
    ],
    [`CMS in PEM${lines}`, (max) => pem(Buffer.alloc(within(max) * 0.7))],
    [`nested DER in PEM${lines}`, (max) => pem(nestedDer(within(max) * 0.35))],
  ];
});

const layers: Body = ['five layers', () => `${begin.repeat(5)}a\n${`${signature}`.repeat(5)}`];

const forms: readonly Body[] = [
  ['fields of one name', (max) => repeated('a=&', max)],
  ['fields of different names', (max) => Array.from({ length: max / 9 }, (_, n) => `a${n}=`).join('&')],
  ['escapes', (max) => `DATA=${repeated('%0a', max)}`],
  ['plus signs', (max) => `DATA=${repeated('+', max)}`],
  ['ampersands', (max) => repeated('&', max)],
  ['as many objects as may be', () => form(objects(bounds.bodyObjects))],
  ['a request for help', () => 'HELP=yes'],
  ['an unsigned text', () => form(`${begin}${repeated('a\n', 8_000)}${signature}`)],
];

const parts: readonly Body[] = [
  ['as many objects as may be', () => multipart(objects(bounds.bodyObjects))],
  ['many parts', (max) => `${repeated('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n', max)}--x--\r\n`],
  ['beginnings of a boundary', (max) => multipart(repeated('\r\n--', max - 200))],
  ['a long header', (max) => `--x\r\n${repeated('a: b\r\n', max - 200)}\r\n\r\n--x--\r\n`],
  [
    'a long name',
    (max) => `--x\r\nContent-Disposition: form-data; name="${repeated('\\"', max - 200)}"\r\n\r\n\r\n--x--\r\n`,
  ],
  ['no end', (max) => `--x\r\nContent-Disposition: form-data; name="DATA"\r\n\r\n${repeated('a', max - 200)}`],
];

const cms: readonly Body[] = [
  ['zeros', (max) => Buffer.alloc(max)],
  ['zeros within the bound', () => Buffer.alloc(bounds.signedCharacters)],
  ['nested values of unknown length', (max) => nestedDer(max / 2)],
  ['the same within the bound', () => nestedDer(bounds.signedCharacters / 2)],
  ['nested values of known length', (max) => nestedLengths(Math.min(100_000, Math.floor(max / 5)))],
  ['the same within the bound', () => nestedLengths(13_000)],
  ['empty values', (max) => emptyValues(max)],
  ['empty values within the bound', () => emptyValues(bounds.signedCharacters)],
];

/** The rows of updates as text. */
export function updateRows(): Row[] {
  return (['anonymous', 'maintainer'] as const).flatMap((sender) => [
    ...ofType(sender, 'text/plain', [...texts, ...signedTexts, layers]),
    ...ofType(sender, 'application/x-www-form-urlencoded', forms),
    ...ofType(sender, 'multipart/form-data', parts, multipartType),
    ...cmsTypes.flatMap((type, n) => ofType(sender, type, n === 0 ? cms : cms.slice(0, 2))),
  ]);
}

function ofType(sender: Sender, mediaType: string, bodies: readonly Body[], header: string = mediaType): Row[] {
  const budget = sender === 'anonymous' ? parsed : hundred;
  const max = (sender === 'anonymous' ? bounds.anonymousBodyBytes : bounds.bodyBytes) - 4096;
  return bodies.map(([what, body, headers]) =>
    rowsOf(update, sender, { mediaType, budget })(what, () => post(path, header, body(max), headers)),
  );
}

function pem(octets: Buffer): string {
  const lines = octets.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CMS-----\n${lines.join('\n')}\n-----END CMS-----\n`;
}

/** Nested sequences, each with its length. */
function nestedLengths(depth: number): Buffer {
  const octets = Buffer.alloc(depth * 5);
  for (let level = 0; level < depth; level++) {
    octets.writeUInt16BE(0x3083, level * 5);
    octets.writeUIntBE((depth - level - 1) * 5, level * 5 + 2, 3);
  }
  return octets;
}

/** A sequence of empty ones, of this many octets. */
function emptyValues(length: number): Buffer {
  const head = Buffer.from([0x30, 0x83, 0, 0, 0]);
  const content = Buffer.alloc(Math.floor((length - head.length) / 2) * 2, Buffer.from('3000', 'hex'));
  head.writeUIntBE(content.length, 2, 3);
  return Buffer.concat([head, content]);
}
