import { DumpEncoding } from '@cadastre/proto/objects';

/** Bytes cut anywhere as text. What is no UTF-8 becomes U+FFFD, which is no latin-1 either. */
export async function* decodeText(chunks: AsyncIterable<Buffer>, encoding: DumpEncoding): AsyncGenerator<string> {
  if (encoding !== DumpEncoding.DUMP_ENCODING_UTF8) {
    for await (const chunk of chunks) yield chunk.toString('latin1');
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
