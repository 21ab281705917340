import { readCleartextMessage, readSignature, type SignaturePacket } from 'openpgp';

/** One clear-signed block. */
export interface PgpLayer {
  /** What is signed, in octets, with CRLF between lines and nothing after the last. */
  content: Buffer;
  signature: SignaturePacket;
  /** The armoured signature. */
  armour: string;
}

const maxLayers = 5;
const begin = '-----BEGIN PGP SIGNED MESSAGE-----';
const signatureBegin = /^-----BEGIN PGP SIGNATURE-----/gm;
const end = '-----END PGP SIGNATURE-----';

/**
 * Takes clear-signed blocks apart, outermost first; `undefined` unless the text is such a block and nothing else,
 * each with exactly one signature.
 */
export async function pgpLayersOf(octets: Uint8Array): Promise<PgpLayer[] | undefined> {
  const layers: PgpLayer[] = [];
  // In latin-1 every octet is one character, whatever the text is written in.
  let text = Buffer.from(octets).toString('latin1');
  do {
    const layer = await outerLayer(text.trim());
    if (!layer || layers.length === maxLayers) return undefined;
    layers.push(layer);
    text = layer.content.toString('latin1');
  } while (text.includes(begin));
  return layers;
}

async function outerLayer(text: string): Promise<PgpLayer | undefined> {
  const signatures = [...text.matchAll(signatureBegin)];
  if (!text.startsWith(begin) || !text.endsWith(end) || signatures.length !== 1) return undefined;
  try {
    const armour = text.slice(signatures[0]!.index);
    const message = await readCleartextMessage({ cleartextMessage: text });
    const { packets } = await readSignature({ armoredSignature: armour });
    const content = Buffer.from(message.getText().replaceAll('\n', '\r\n'), 'latin1');
    return packets.length === 1 ? { content, signature: packets[0] as SignaturePacket, armour } : undefined;
  } catch {
    return undefined;
  }
}
