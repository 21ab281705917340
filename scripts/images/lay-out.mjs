// Arranges the files of one service's image below TARGET, in two folders that become a layer each: packages/
// (third-party packages, which change rarely) and own/ (our own build). Usage: node lay-out.mjs SERVICE INSTALLED BUILT
// TARGET
// INSTALLED: a checkout's manifests, with the production packages of the service in node_modules
// BUILT: a compiled checkout
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

const [service, installed, built, target] = process.argv.slice(2);
const scope = '@cadastre';

/** Files of third-party packages that no program reads, without licences. */
const superfluous = /(\.([cm]?ts|map|md|markdown|flow)|\/(tests?|\.bin|\.package-lock\.json))$/i;

/** Folders of our packages that npm linked: the service and its dependencies. */
function workspaces() {
  return readdirSync(join(installed, 'node_modules', scope)).map(workspaceFolder);
}

/** The path of one of our packages, from the root of the checkout. */
function workspaceFolder(name) {
  return relative(installed, realpathSync(join(installed, 'node_modules', scope, name)));
}

function copyPackages() {
  const folders = ['', ...workspaces()].map((folder) => join(folder, 'node_modules'));
  for (const folder of folders.filter((one) => existsSync(join(installed, one)))) {
    cpSync(join(installed, folder), join(target, 'packages/app', folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !superfluous.test(path),
    });
  }
}

function copyWorkspace(folder) {
  for (const part of ['package.json', 'dist', 'migrations', 'descriptors.binpb', 'setting-names.json']) {
    const from = join(built, folder, part);
    if (!existsSync(from)) continue;
    cpSync(from, join(target, 'own/app', folder, part), {
      recursive: true,
      filter: (path) => !/\.map$/.test(path),
    });
  }
}

/** The web application consists of files that the gateway serves. */
function copyWebApplication() {
  const from = join(built, 'web/dist');
  if (service === 'gateway' && existsSync(from)) cpSync(from, join(target, 'own/app/web/dist'), { recursive: true });
}

/** `main.js` is the service's program, in any package; Node.js follows the link. */
function linkMain() {
  const folder = workspaceFolder(service);
  symlinkSync(join(folder, 'dist/main.js'), join(target, 'own/app/main.js'));
}

mkdirSync(join(target, 'own/app'), { recursive: true });
copyPackages();
for (const folder of workspaces()) copyWorkspace(folder);
copyWebApplication();
linkMain();
