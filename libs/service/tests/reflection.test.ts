import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { ApiKeyServiceService, AuthenticationServiceService } from '@cadastre/proto/auth';
import {
  type ClientDuplexStream,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAccess,
  createMetrics,
  createRpcServer,
  implement,
  type RpcServer,
  readSettings,
  rpcSettings,
  type ServiceDefinition,
} from '../src/index.js';
import { testLogger } from './testing.js';

const reflectionContract = join(
  dirname(createRequire(import.meta.url).resolve('@grpc/reflection')),
  '../proto/grpc/reflection/v1/reflection.proto',
);

let server: RpcServer;
let client: InstanceType<ServiceClientConstructor>;

beforeAll(async () => {
  const metrics = createMetrics('test');
  server = createRpcServer({
    name: 'test',
    logger: testLogger(),
    metrics,
    address: '127.0.0.1:0',
    implementations: [AuthenticationServiceService, ApiKeyServiceService].map((definition) =>
      implement(definition as ServiceDefinition, {}),
    ),
    access: createAccess({
      settings: readSettings(rpcSettings, {}),
      allowedCallers: {},
      withTls: false,
      logger: testLogger(),
      metrics,
    }),
    reflection: true,
  });
  const { address } = await server.start();
  const contract = loadPackageDefinition(loadSync(reflectionContract)) as GrpcObject;
  const v1 = ((contract.grpc as GrpcObject).reflection as GrpcObject).v1 as GrpcObject;
  client = new (v1.ServerReflection as ServiceClientConstructor)(address, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.stop(0);
});

interface Answer {
  listServicesResponse?: { service: { name: string }[] };
  fileDescriptorResponse?: { fileDescriptorProto: Buffer[] };
}

async function ask(question: Record<string, string>): Promise<Answer> {
  const stream = client.ServerReflectionInfo!() as ClientDuplexStream<unknown, Answer>;
  stream.write(question);
  for await (const answer of stream) {
    stream.cancel();
    stream.on('error', () => {});
    return answer as Answer;
  }
  throw new Error('no answer');
}

test('a server lists its services and health only', async () => {
  const { listServicesResponse } = await ask({ listServices: '*' });
  expect(listServicesResponse?.service.map(({ name }) => name).sort()).toEqual([
    'cadastre.auth.v1.ApiKeyService',
    'cadastre.auth.v1.AuthenticationService',
    'grpc.health.v1.Health',
  ]);
});

test('it returns the contract of health, which clients can read', async () => {
  const { fileDescriptorResponse } = await ask({ fileContainingSymbol: 'grpc.health.v1.Health' });
  const files = fileDescriptorResponse!.fileDescriptorProto.map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, bytes),
  );
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  expect(registry.getService('grpc.health.v1.Health')?.methods.map(({ name }) => name)).toEqual([
    'Check',
    'Watch',
    'List',
  ]);
  // A descriptor without the entry type of this map made grpcurl fail.
  expect(registry.getMessage('grpc.health.v1.HealthListResponse')?.field.statuses).toMatchObject({ fieldKind: 'map' });
});

test('it returns their contracts and the imports of these', async () => {
  const { fileDescriptorResponse } = await ask({ fileContainingSymbol: 'cadastre.auth.v1.AuthenticationService' });
  const files = fileDescriptorResponse!.fileDescriptorProto.map((bytes) => bytes.toString('latin1'));
  expect(files.some((file) => file.includes('cadastre/auth/v1/authentication.proto'))).toBe(true);
  expect(files.some((file) => file.includes('cadastre/registry/v1/principal.proto'))).toBe(true);
});
