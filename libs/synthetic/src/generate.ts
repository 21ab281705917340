import type { ObjectTypeName } from '@cadastre/rpsl';
import { objectMakers } from './object-makers.js';
import { inetnumTexts } from './objects/inetnum.js';
import { type Registry, type RegistryOptions, registryOf } from './registry.js';

/**
 * The objects of an invented registry as texts, each with its final newline, type after type, in constant memory.
 * Every object is valid, and every object it refers to is in the registry. All names are invented and below
 * example.net; the address space is real in shape only.
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
