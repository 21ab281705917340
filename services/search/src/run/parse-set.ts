import { parseObject, type SetContents, setContents } from '@cadastre/rpsl';

/** What a set consists of; undefined for a text that is no object. */
export function parseSet(text: string): SetContents | undefined {
  const parsed = parseObject(text);
  return parsed.ok ? setContents(parsed.object) : undefined;
}
