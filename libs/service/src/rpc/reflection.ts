import { readFileSync } from 'node:fs';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { descriptors } from '@cadastre/proto/descriptors';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import type { SurfaceCall } from './call.js';
import { statusOf } from './status.js';

type Contracts = ConstructorParameters<typeof ReflectionService>[0];
type StreamHandler = (stream: SurfaceCall) => void;

/**
 * Serves the contracts of these services, and of health, by gRPC reflection, v1 and v1alpha. `admit` throws unless the caller may ask;
 * what it returns runs when the call has ended.
 */
export function addReflection(
  server: Server,
  services: readonly string[],
  admit: (surface: SurfaceCall) => () => void,
): void {
  const contracts = { all: { fileDescriptorProtos: filesOf(readFileSync(descriptors)) } } as unknown as Contracts;
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
  // The library adds its service itself; this wraps its handlers.
  const addService: Server['addService'] = (definition, handlers) =>
    server.addService(
      definition,
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [name, admitted(handler as StreamHandler)]),
      ) as Parameters<Server['addService']>[1],
    );
  new ReflectionService(contracts, { services: [...services, 'grpc.health.v1.Health'] }).addToServer({
    addService,
  } as Server);
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
