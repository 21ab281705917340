import { readFileSync } from 'node:fs';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { descriptors } from '@cadastre/proto/descriptors';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import type { SurfaceCall } from './call.js';
import { statusOf } from './status.js';

type Contracts = ConstructorParameters<typeof ReflectionService>[0];
type StreamHandler = (stream: SurfaceCall) => void;

/** What a server adds for a version of the reflection service. */
interface Version {
  readonly definition: Parameters<Server['addService']>[0];
  readonly handlers: Parameters<Server['addService']>[1];
}

/**
 * Serves the contracts of these services, and of health, by gRPC reflection, v1 and v1alpha. `admit` throws unless the caller may ask;
 * what it returns runs when the call has ended.
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
  // The library indexes all contracts at once, twice. Few callers ever ask, so that waits for the first of them.
  let full: Version[] | undefined;
  versionsOf({}, []).forEach(({ definition, handlers }, version) => {
    const late =
      (name: string): StreamHandler =>
      (stream) => {
        full ??= versionsOf(contractsOf(readFileSync(descriptors)), [...services, 'grpc.health.v1.Health']);
        (full[version]!.handlers[name] as StreamHandler)(stream);
      };
    const all = Object.keys(handlers).map((name) => [name, admitted(late(name))]);
    server.addService(definition, Object.fromEntries(all));
  });
}

/** The versions of the reflection service, which the library would add to a server itself. */
function versionsOf(contracts: Contracts, services: string[]): Version[] {
  const versions: Version[] = [];
  const addService: Server['addService'] = (definition, handlers) => versions.push({ definition, handlers });
  new ReflectionService(contracts, { services }).addToServer({ addService } as Server);
  return versions;
}

function contractsOf(set: Buffer): Contracts {
  return { all: { fileDescriptorProtos: filesOf(set) } } as unknown as Contracts;
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
