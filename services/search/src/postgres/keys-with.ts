import type { FoundKeys, KeyQuestion } from '../index-port.js';
import { storedTerm } from './documents.js';
import type { Reader } from './reader.js';

/** The keys of the matches of all questions (`SearchIndex.keysWith`), by one statement that reads no texts. */
export async function keysWith(
  reader: Reader,
  source: string,
  questions: readonly KeyQuestion[],
  most: number,
): Promise<FoundKeys | undefined> {
  const terms = (at: 0 | 1) => questions.map(({ type, terms }) => storedTerm(type, terms[at] ?? terms[0]));
  const found = await reader.rowsWithSerial<{ position: bigint; key: string }>(source, {
    text: ({ document }) => `
      select asked.position, d.key
      from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (one, other, position)
      cross join lateral (
        select key from ${document} where terms @> array[asked.one, asked.other] limit $3
      ) d limit $3`,
    values: [terms(0), terms(1), most],
  });
  if (found === undefined) return undefined;
  const keys = questions.map((): string[] => []);
  for (const { position, key } of found.rows) keys[Number(position) - 1]!.push(key);
  return { serial: found.serial, keys };
}
