/**
 * Goes up with every change of the mapping or of what is stored. Indexes of another version are not used: a service
 * that brings a new version builds its own index while the old one goes on serving.
 */
export const mappingVersion = 1;

/** Longer terms cannot be found; Lucene's own limit is 32766 bytes. */
const longestTerm = 8000;

const word = { type: 'keyword', doc_values: false, ignore_above: longestTerm };
const sorted = { type: 'keyword' };

export function indexDefinition(shards: number): object {
  return {
    settings: {
      number_of_shards: shards,
      auto_expand_replicas: '0-1',
      // Every batch refreshes; nothing else has to be seen.
      refresh_interval: -1,
    },
    mappings: {
      dynamic: 'strict',
      properties: {
        type: { type: 'keyword' },
        key: sorted,
        terms: word,
        hosts: word,
        space: { type: 'keyword', doc_values: false },
        // The ends of the range as hexadecimal numbers of one length, for order and equality, ...
        first: sorted,
        last: sorted,
        // ... and the range as one, for containment: a multi-dimensional tree, whatever ends it has, ...
        span: { type: 'ip_range' },
        // ... and where it begins, for a bounded look at what begins in a part of the space.
        start: { type: 'ip', doc_values: false },
        origin: sorted,
        // What is only given back: not indexed.
        object: { type: 'object', enabled: false },
        position: { type: 'object', enabled: false },
      },
    },
  };
}
