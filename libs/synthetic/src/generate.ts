import type { ObjectTypeName } from '@cadastre/rpsl';
import { objectMakers } from './object-makers.js';
import { inetnumTexts } from './objects/inetnum.js';
import { type Registry, type RegistryOptions, registryOf } from './registry.js';

/**
 * Generates the objects of an invented registry as texts, each with its final newline, by type, in constant memory.
 * Every object is valid and refers only to objects of the registry. All names are invented and below example.net; only
 * the structure of the address space is realistic.
 */
export function* generateRegistry(options: RegistryOptions): Generator<string> {
  const registry = registryOf(options);
  for (const type of Object.keys(objectMakers) as ObjectTypeName[]) {
    yield* type === 'inetnum' ? inetnumTexts(registry) : textsOf(registry, type);
  }
}

function* textsOf(registry: Registry, type: ObjectTypeName): Generator<string> {
  const { text } = objectMakers[type];
  for (let index = 0; index < registry.counts[type]; index += 1) {
    yield text(registry, index);
  }
}
