import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import {
  createLogger,
  createMetrics,
  createRpcServer,
  type Handlers,
  implement,
  type ServiceDefinition,
  ServiceError,
} from '@cadastre/service';
import type { ExitCode, Interrupt, Io } from '../src/io.js';
import { runProgram } from '../src/program.js';

/** Services with some of their methods; the others fail as unavailable. */
export interface FakeService<D extends ServiceDefinition = ServiceDefinition> {
  definition: D;
  handlers: Partial<Handlers<D>>;
}

/** A service of a contract with these handlers. */
export function fake<D extends ServiceDefinition>(definition: D, handlers: Partial<Handlers<D>>): FakeService {
  return { definition, handlers: handlers as unknown as Partial<Handlers<ServiceDefinition>> };
}

/** Starts all services on one socket; returns the environment in which the program finds them. */
export async function startFakeRegistry(services: FakeService[]) {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-cli-'));
  const address = `unix:${join(directory, 'fake.sock')}`;
  const server = createRpcServer({
    name: 'fake',
    logger: createLogger({ service: 'fake', level: 'silent' }),
    metrics: createMetrics('fake'),
    address,
    implementations: services.map(({ definition, handlers }) => implement(definition, complete(definition, handlers))),
  });
  await server.start();
  return {
    env: {
      CADASTRE_OBJECTS_ADDRESS: address,
      CADASTRE_AUTH_ADDRESS: address,
      CADASTRE_SEARCH_ADDRESS: address,
      CADASTRE_MIRROR_ADDRESS: address,
    },
    stop: async () => {
      await server.stop(0);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function complete(definition: ServiceDefinition, handlers: Partial<Handlers<ServiceDefinition>>) {
  const absent = () => {
    throw new ServiceError('unimplemented', 'Not here');
  };
  const names = Object.keys(definition);
  return Object.fromEntries(names.map((name) => [name, handlers[name] ?? absent])) as Handlers<ServiceDefinition>;
}

export interface Finished {
  code: ExitCode;
  stdout: string;
  stderr: string;
}

/** Runs the program and collects its output. Interrupts it as Ctrl-C does when standard error has this text. */
export async function cadastre(args: string[], env: Io['env'], stdin = '', interruptAt?: string): Promise<Finished> {
  let interrupt: ((signal: Interrupt) => void) | undefined;
  const stdout = collector();
  const stderr = collector((text) => {
    if (interruptAt !== undefined && text.includes(interruptAt)) interrupt?.('SIGINT');
  });
  const io = {
    stdin: one(Buffer.from(stdin, 'latin1')),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env,
    onInterrupt: (listener: (signal: Interrupt) => void) => {
      interrupt = listener;
      return () => {
        interrupt = undefined;
      };
    },
  };
  const code = await runProgram(args, io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

async function* one(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

function collector(onText: (text: string) => void = () => {}) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      onText(chunk.toString());
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('latin1') };
}
