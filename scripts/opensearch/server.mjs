// One OpenSearch server on a free port of 127.0.0.1, with temporary data.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Java for the server, Maven to install it, setpriv to stop it with this process. */
const programs = ['java', 'mvn', 'setpriv'];
const startTimeoutMs = 180_000;
const nobody = 65534;

const logging = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%-5p][%c{1}] [%node_name]%marker %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`;

const settings = {
  'cluster.name': 'cadastre-test',
  'network.host': '127.0.0.1',
  'http.port': 0,
  'transport.port': 0,
  'cluster.routing.allocation.disk.threshold_enabled': false,
  'indices.breaker.total.use_real_memory': false,
};
const alone = { 'discovery.type': 'single-node' };

const isRoot = process.getuid() === 0;

/** Copies an installed server with plugins to a folder, with a configuration that logs to the console. */
export async function copyServer(installed, home, plugins) {
  for (const part of ['lib', 'modules'])
    await cp(path.join(installed, part), path.join(home, part), { recursive: true });
  for (const plugin of plugins)
    await cp(plugin, path.join(home, 'plugins', path.basename(plugin)), { recursive: true });
  await mkdir(path.join(home, 'config'));
  await writeFile(path.join(home, 'config', 'log4j2.properties'), logging);
}

/** A copy of the installed server: it writes into its own folder, and its user cannot access root's checkout. */
async function makeHome(installed, { settings: own = alone, files = {}, plugins = [] }) {
  const home = await mkdtemp(path.join(tmpdir(), 'cadastre-opensearch-'));
  const config = path.join(home, 'config');
  await copyServer(installed, home, plugins);
  // JSON is YAML.
  await writeFile(path.join(config, 'opensearch.yml'), JSON.stringify({ ...settings, ...own }));
  for (const [name, source] of Object.entries(files)) await cp(source, path.join(config, name), { recursive: true });
  if (isRoot) for (const each of [home, config]) await chown(each, nobody, nobody);
  return home;
}

/** `setpriv` arguments: not root, and killed whenever this process ends. */
function guarded() {
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  return [...(isRoot ? user : []), '--pdeathsig=KILL'];
}

function launch(home, heapMb) {
  const java = [
    ...[
      `-Xms${heapMb}m`,
      `-Xmx${heapMb}m`,
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-Djava.security.manager=allow',
    ],
    ...['-Dlog4j2.disable.jmx=true', `-Djava.io.tmpdir=${home}`, `-Dopensearch.path.home=${home}`],
    ...[`-Dopensearch.path.conf=${home}/config`, '-cp', `${home}/lib/*`],
  ];
  return spawn('setpriv', [...guarded(), 'java', ...java, 'org.opensearch.bootstrap.OpenSearch'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: home,
    env: { PATH: process.env.PATH, ...(process.env.JAVA_HOME ? { JAVA_HOME: process.env.JAVA_HOME } : {}) },
  });
}

/** Resolves to its HTTP port when the server responds; rejects with the end of its log when it does not. */
function readiness(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
    const listen = (chunk) => {
      said = (said + chunk).slice(-20_000);
      const port = /HttpServerTransport\].*publish_address \{127\.0\.0\.1:(\d+)\}/.exec(said)?.[1];
      if (!port || !/\[Node *\].*\] started\n/.test(said)) return;
      clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream.off('data', listen).resume();
      resolve(port);
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', listen);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`OpenSearch did not start:\n${said}`));
    });
  });
}

/** Required programs that this machine lacks. */
export function missingPrograms() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return programs.filter((program) => !folders.some((folder) => existsSync(path.join(folder, program))));
}

/** Starts a server from an installation folder. server.d.mts describes the options and the result. */
export async function startServer(installed, options = {}) {
  const home = await makeHome(installed, options);
  const discard = () => rm(home, { recursive: true, force: true });
  let child;
  let exited;
  const start = async () => {
    child = launch(home, options.heapMb ?? 512);
    exited = new Promise((resolve) => child.once('close', resolve));
    return readiness(child);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const port = await start();
    const isSecure = options.settings?.['plugins.security.ssl.http.enabled'] === true;
    return {
      url: isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
      pid: () => child.pid,
      kill,
      start: async () => void (await start()),
      stop: () => kill().then(discard),
    };
  } catch (error) {
    await discard();
    throw error;
  }
}
