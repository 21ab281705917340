import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  GenericContainer,
  getContainerRuntimeClient,
  type StartedNetwork,
  type StartedTestContainer,
  Wait,
} from 'testcontainers';
import { type ComposeFile, type ComposeService, projectDirectory } from './compose-file.js';

const startMs = 180_000;

/** Runs services of compose.yaml in one network. */
export interface Containers {
  /** Starts a service that keeps running, and waits until it is healthy. Ports are those of the container. */
  start(name: string, ports?: number[]): Promise<StartedTestContainer>;
  /** Runs a command in a service to its end. Rejects when it fails. */
  run(name: string, command: string[], given?: Given): Promise<string[]>;
  /** Removes the volumes, when no container has them. */
  removeVolumes(): Promise<void>;
}

/** What a container gets in addition to the compose file: local path to container path. */
interface Given {
  /** Files and folders that it reads. */
  files?: Record<string, string>;
  /** Folders to which it writes. */
  folders?: Record<string, string>;
}

type BindMount = Parameters<GenericContainer['withBindMounts']>[0][number];

/** A container with options for which the library has no method. */
class ComposeContainer extends GenericContainer {
  constructor(service: ComposeService, volumeName: (name: string) => string) {
    super(service.image);
    this.hostConfig.ReadonlyRootfs = service.read_only ?? false;
    const volumes = volumesOf(service).filter(({ isPath }) => !isPath);
    this.hostConfig.Mounts = volumes.map(({ source, target, isReadOnly }) => {
      return { Type: 'volume', Source: volumeName(source), Target: target, ReadOnly: isReadOnly };
    });
  }
}

/** Containers of a compose file. */
export function containersOf(file: ComposeFile, network: StartedNetwork): Containers {
  const prepare = (name: string) => prepareContainer(file, name, network);
  return {
    start: (name, ports = []) => {
      const { container, log } = prepare(name);
      container.withExposedPorts(...ports).withWaitStrategy(Wait.forHealthCheck());
      return container.start().catch((cause) => {
        throw new Error(`${name} did not become healthy:\n${log.join('')}`, { cause });
      });
    },
    async run(name, command, { files = {}, folders = {} } = {}) {
      const { container, log } = prepare(name);
      const read = Object.entries(files).map(([source, target]) => readOnly(source, target));
      const written = Object.entries(folders).map(([source, target]) => ({ source, target }));
      container.withBindMounts([...fileMounts(file, name), ...read, ...written]);
      container.withCommand(command).withWaitStrategy(Wait.forOneShotStartup());
      const started = await container.start().catch((cause) => {
        throw new Error(`${name} ${command.join(' ')} failed:\n${log.join('')}`, { cause });
      });
      const said = await text(await started.logs());
      await started.stop();
      return said.trimEnd().split('\n');
    },
    async removeVolumes() {
      const { container } = await getContainerRuntimeClient();
      const names = Object.values(file.services).flatMap((service) =>
        volumesOf(service).flatMap(({ source, isPath }) => (isPath ? [] : [volumeNameIn(network, source)])),
      );
      const { Volumes } = await container.dockerode.listVolumes();
      for (const { Name } of Volumes.filter((volume) => names.includes(volume.Name))) {
        await container.dockerode.getVolume(Name).remove({ force: true });
      }
    },
  };
}

function prepareContainer(file: ComposeFile, name: string, network: StartedNetwork) {
  const service = file.services[name]!;
  const log: string[] = [];
  const container = new ComposeContainer(service, (volume) => volumeNameIn(network, volume))
    .withNetwork(network)
    .withNetworkAliases(name)
    .withEnvironment(textValues(service.environment))
    .withBindMounts(fileMounts(file, name))
    .withTmpFs(Object.fromEntries((service.tmpfs ?? []).map((path) => [path, 'rw'])))
    .withDroppedCapabilities(...(service.cap_drop ?? []))
    .withAddedCapabilities(...(service.cap_add ?? []))
    .withSecurityOpt(...(service.security_opt ?? []))
    .withStartupTimeout(startMs)
    .withLogConsumer((stream) => stream.on('data', (line: Buffer) => log.push(line.toString())));
  if (service.user) container.withUser(service.user);
  if (service.command) container.withCommand(service.command);
  if (service.healthcheck) container.withHealthCheck(healthCheckOf(service.healthcheck));
  return { container, log };
}

/** The files of a service: its secrets, and files of the checkout. */
function fileMounts(file: ComposeFile, name: string): BindMount[] {
  const service = file.services[name]!;
  const named = (service.secrets ?? []).map((secret) =>
    typeof secret === 'string' ? { source: secret, target: `/run/secrets/${secret}` } : secret,
  );
  const secrets = named.map(({ source, target }) => ({
    source: file.secrets[source]!.file,
    target,
  }));
  const files = volumesOf(service).filter(({ isPath }) => isPath);
  return [...secrets, ...files].map(({ source, target }) => readOnly(resolve(projectDirectory, source), target));
}

function readOnly(source: string, target: string): BindMount {
  return { source, target, mode: 'ro' };
}

function volumesOf({ volumes = [] }: ComposeService) {
  return volumes.map((entry) => {
    const [source = '', target = '', mode] = entry.split(':');
    return { source, target, isReadOnly: mode === 'ro', isPath: /^[./]/.test(source) };
  });
}

/** The project name is also in the names of its volumes. */
function volumeNameIn(network: StartedNetwork, name: string): string {
  return `${network.getName()}-${name}`;
}

/** A variable without a value is an empty text. */
function textValues(environment: ComposeService['environment'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value ?? '')]));
}

/** Checks more often than in production, so that a test need not wait. */
function healthCheckOf({ test }: NonNullable<ComposeService['healthcheck']>) {
  return { test: test as ['CMD', ...string[]], interval: 1000, timeout: 10_000, retries: 120 };
}
