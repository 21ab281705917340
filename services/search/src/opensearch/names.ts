import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '@cadastre/service';
import type { ObjectId } from '../index-port.js';
import { mappingVersion } from './mapping.js';

/**
 * Names of a source's indexes. No source name holds a dot, so no two sources share a name:
 * "<prefix>.v<mapping version>.<source>" is the alias that queries use, ".building" behind it the one of a rebuild,
 * ".g-<time>-<random>" an index (a generation).
 */
export interface SourceNames {
  readonly alias: string;
  readonly building: string;
  /** Pattern of all generations of this mapping version. */
  readonly generations: string;
  /** Pattern of all generations of any mapping version. */
  readonly everything: string;
  /** The generation that the first batch creates: a fixed name, so that two writers create one index. */
  readonly first: string;
  newGeneration(): string;
}

/** Throws ServiceError 'invalid' for an impossible source name. */
export function sourceNames(prefix: string, source: string): SourceNames {
  const name = source.toLowerCase();
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) throw new ServiceError('invalid', 'Invalid source name');
  const alias = `${aliasPrefix(prefix)}${name}`;
  return {
    alias,
    building: `${alias}.building`,
    generations: `${alias}.g-*`,
    everything: `${prefix}.v*.${name}.g-*`,
    first: `${alias}.g-first`,
    newGeneration: () => `${alias}.g-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`,
  };
}

/** The prefix of the aliases of all sources. */
export function aliasPrefix(prefix: string): string {
  return `${prefix}.v${mappingVersion}.`;
}

const longestId = 512;

/** The identifier of an object's document; OpenSearch allows 512 bytes, so a longer key becomes its digest. */
export function documentId({ type, key }: Pick<ObjectId, 'type' | 'key'>): string {
  const plain = `${type}/${key}`;
  if (Buffer.byteLength(plain) <= longestId) return plain;
  return `${type}#${createHash('sha256').update(key).digest('hex')}`;
}
