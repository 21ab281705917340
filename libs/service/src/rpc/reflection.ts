import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { descriptors } from '@cadastre/proto/descriptors';
import type { Server, ServiceDefinition } from '@grpc/grpc-js';
import type { ReflectionService } from '@grpc/reflection';
import type { SurfaceCall } from './call.js';
import { statusOf } from './status.js';

type Contracts = ConstructorParameters<typeof ReflectionService>[0];
type StreamHandler = (stream: SurfaceCall) => void;

/** What a server adds for a version of the reflection service. */
interface Version {
  readonly definition: ServiceDefinition;
  readonly handlers: Parameters<Server['addService']>[1];
}

const method = 'ServerReflectionInfo';
/** In the order in which the library adds them. */
const versions = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];

/**
 * Serves the contracts of these services, and of health, by gRPC reflection, v1 and v1alpha. `admit` throws unless the
 * caller may use it; its result runs when the call has ended.
 */
export function addReflection(
  server: Server,
  services: readonly string[],
  admit: (surface: SurfaceCall) => () => void,
): void {
  const admitted =
    (handler: StreamHandler): StreamHandler =>
    (stream) => {
      try {
        stream.once('close', admit(stream));
        handler(stream);
      } catch (error) {
        stream.emit('error', statusOf(error, ''));
      }
    };
  // Loading the library takes a fifth of the start of a small service, and it indexes all contracts, twice. Few callers
  // ever use it, so the first of them loads it.
  let loaded: Version[] | undefined;
  const served = (version: number) => {
    loaded ??= versionsOf(readFileSync(descriptors), [...services, 'grpc.health.v1.Health']);
    return loaded[version]!;
  };
  for (const [version, name] of versions.entries()) {
    const contract = () => served(version).definition[method]!;
    const definition: ServiceDefinition = {
      [method]: {
        path: `/${name}/${method}`,
        requestStream: true,
        responseStream: true,
        requestSerialize: (request) => contract().requestSerialize(request),
        requestDeserialize: (bytes) => contract().requestDeserialize(bytes),
        responseSerialize: (response) => contract().responseSerialize(response),
        responseDeserialize: (bytes) => contract().responseDeserialize(bytes),
      },
    };
    const handler: StreamHandler = (stream) => (served(version).handlers[method] as StreamHandler)(stream);
    server.addService(definition, { [method]: admitted(handler) });
  }
}

/** The versions of the reflection service, which the library would add to a server itself. */
function versionsOf(set: Buffer, services: string[]): Version[] {
  const contracts = { all: { fileDescriptorProtos: filesOf(set) } } as unknown as Contracts;
  const library: typeof import('@grpc/reflection') = createRequire(import.meta.url)('@grpc/reflection');
  const added: Version[] = [];
  const addService = (definition: ServiceDefinition, handlers: Version['handlers']) =>
    added.push({ definition, handlers });
  new library.ReflectionService(contracts, { services }).addToServer({ addService } as unknown as Server);
  return added;
}

/** The files of a FileDescriptorSet, unchanged: a loader would merge those of one package. */
function filesOf(set: Buffer): Buffer[] {
  const reader = new BinaryReader(set);
  const files: Buffer[] = [];
  while (reader.pos < reader.len) {
    reader.tag(); // 1, the only field
    files.push(Buffer.from(reader.bytes()));
  }
  return files;
}
