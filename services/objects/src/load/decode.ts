import { DumpEncoding } from '@cadastre/proto/objects';

/** Decodes chunks to text. Invalid UTF-8 becomes U+FFFD, which latin-1 does not have either. */
export async function* decodeText(chunks: AsyncIterable<Buffer>, encoding: DumpEncoding): AsyncGenerator<string> {
  if (encoding !== DumpEncoding.DUMP_ENCODING_UTF8) {
    for await (const chunk of chunks) yield chunk.toString('latin1');
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
