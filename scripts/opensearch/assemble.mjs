// Arranges the OpenSearch server of pom.xml as an installation, once, in .tools/.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
const tools = fileURLToPath(new URL('../../.tools', import.meta.url));

/** The network module and its dependencies; the rest of the jars belongs to the server. */
const networkJar = /^(transport-netty4-client|netty-)/;

/** The permissions that netty needs from the server's security manager. */
const networkPolicy = `grant {
  permission java.lang.RuntimePermission "getClassLoader";
  permission java.lang.RuntimePermission "setContextClassLoader";
  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";
  permission java.net.SocketPermission "*", "accept,connect,listen,resolve";
  permission java.util.PropertyPermission "*", "read,write";
};
`;

function networkDescriptor(version) {
  const fields = {
    name: 'transport-netty4',
    description: 'HTTP and transport by netty',
    version,
    'opensearch.version': version,
    'java.version': '11',
    classname: 'org.opensearch.transport.Netty4Plugin',
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Moves the network module out of lib/ to the folder of modules. */
async function splitModule(home, version) {
  const lib = path.join(home, 'lib');
  const target = path.join(home, 'modules', 'transport-netty4');
  await mkdir(target, { recursive: true });
  const jars = (await readdir(lib)).filter((jar) => networkJar.test(jar));
  for (const jar of jars) await rename(path.join(lib, jar), path.join(target, jar));
  await writeFile(path.join(target, 'plugin-descriptor.properties'), networkDescriptor(version));
  await writeFile(path.join(target, 'plugin-security.policy'), networkPolicy);
}

async function property(name) {
  return new RegExp(`<${name}>(.*?)<`).exec(await readFile(pom, 'utf8'))[1];
}

/** The folder `name` of .tools/, which `make` fills once. */
async function installed(name, make) {
  const home = path.join(tools, name);
  if (existsSync(home)) return home;
  await mkdir(tools, { recursive: true });
  const fresh = await mkdtemp(`${home}.`);
  try {
    await make(fresh);
    await chmod(fresh, 0o755);
    await rename(fresh, home).catch((error) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return home;
}

/** Resolves to the folder of the installed server. The first time, Maven fetches about 45 MB. */
export async function assemble() {
  const version = await property('opensearch.version');
  return installed(`opensearch-${version}`, async (folder) => {
    await run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}/lib`]);
    await splitModule(folder, version);
  });
}

/**
 * Resolves to the folder of the security plugin (44 MB). Maven Central lacks it for the newest servers of 2.19: this
 * adapts the newest available one.
 */
export async function assembleSecurity() {
  const [version, server] = [await property('security.version'), await property('opensearch.version')];
  return installed(`opensearch-security-${version}-${server}`, async (folder) => {
    const unpack = ['org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack', `-DoutputDirectory=${folder}`];
    const artifact = `org.opensearch.plugin:opensearch-security:${version}:zip`;
    // Without a pom, Maven writes its marker below a folder named "${project.basedir}", which the next line removes.
    await run('mvn', ['-q', '-B', ...unpack, `-Dartifact=${artifact}`], { cwd: folder });
    await rm(path.join(folder, `\${project.basedir}`), { recursive: true, force: true });
    const descriptor = path.join(folder, 'plugin-descriptor.properties');
    const text = await readFile(descriptor, 'utf8');
    await writeFile(descriptor, text.replace(/^opensearch\.version=.*$/m, `opensearch.version=${server}`));
  });
}
