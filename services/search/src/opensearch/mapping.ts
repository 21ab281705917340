/**
 * Increase this with every change of the mapping or of the stored documents. A service ignores indexes of other
 * versions: a new version builds its own index while the old one serves.
 */
export const mappingVersion = 5;

/** Longer terms are not indexed; Lucene's own limit is 32766 bytes. */
const longestTerm = 8000;

const word = { type: 'keyword', doc_values: false, ignore_above: longestTerm };
const sorted = { type: 'keyword' };

/** The distribution of an index over the nodes of a cluster. */
export interface IndexLayout {
  readonly shards: number;
  /** Copies of each shard besides the first one, if there are nodes for them. */
  readonly replicas: number;
}

export function indexDefinition({ shards, replicas }: IndexLayout): object {
  return {
    settings: {
      number_of_shards: shards,
      auto_expand_replicas: `0-${replicas}`,
      // Every batch refreshes explicitly.
      refresh_interval: -1,
    },
    mappings: {
      dynamic: 'strict',
      properties: {
        type: { type: 'keyword' },
        key: sorted,
        terms: word,
        hosts: word,
        words: word,
        name: sorted,
        // The name of the object or of the person that it is about, for searches by names.
        called: sorted,
        // The first description of an object without a name, which filters read.
        descr: { type: 'keyword', index: false },
        space: sorted,
        // Both ends of the range as hexadecimal numbers of equal length, for order and equality, ...
        first: sorted,
        last: sorted,
        // ... the range itself, for containment: a multi-dimensional tree, which supports any ends, ...
        span: { type: 'ip_range' },
        // ... and its start, for bounded reads of the ranges that start in a part of the space.
        start: { type: 'ip', doc_values: false },
        origin: sorted,
        // Stored only, not indexed.
        object: { type: 'object', enabled: false },
        // A large text, separate from the object, so that searches do not read it.
        large: { type: 'object', enabled: false },
        position: { type: 'object', enabled: false },
      },
    },
  };
}
