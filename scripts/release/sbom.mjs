// sbom.mjs: writes cadastre-VERSION.cdx.json, a CycloneDX bill of materials: the packages of package-lock.json that the
// images, the command line program and the client contain. It needs no network.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentVersion, releaseDirectory, runStep } from './step.mjs';

/** Dependencies that only build the pages of the web interface. */
const buildTools = new Set(['vite']);

await runStep(import.meta.filename, () => {
  // Not `--omit=dev`, which leaves out what any of our packages also needs for development.
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const sbom = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26 }));
  const file = join(releaseDirectory(), `cadastre-${currentVersion()}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(withoutOthers(sbom), null, 2)}\n`);
  console.log(file);
});

/** The bill of what is released. npm lists all packages of the checkout, also those for development of ours. */
function withoutOthers(sbom) {
  const root = sbom.metadata.component['bom-ref'];
  const dependencies = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const ours = ourPackages();
  const services = readdirSync('services').map((name) => `services/${name}`);
  const released = ['cli', 'clients/typescript', 'web', ...services];
  const top = released.map(manifestOf).map(({ name, version }) => `${name}@${version}`);
  const found = new Set(top);
  for (const ref of found) {
    const needed = dependencies.get(ref).filter((one) => {
      const name = nameOf(one);
      return !buildTools.has(name) && (ours.get(nameOf(ref))?.has(name) ?? true);
    });
    dependencies.set(ref, needed);
    for (const one of needed) found.add(one);
  }
  dependencies.set(root, top);
  // npm calls our packages as their folders.
  const named = (component) => ({ ...component, name: nameOf(component['bom-ref']) });
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: named(sbom.metadata.component) },
    components: sbom.components.filter((component) => found.has(component['bom-ref'])).map(named),
    dependencies: [root, ...found].sort().map((ref) => ({ ref, dependsOn: dependencies.get(ref) })),
  };
}

/** The name in NAME@VERSION. */
function nameOf(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}

/** Our packages, and the names of what each needs when it runs. */
function ourPackages() {
  const manifests = manifestOf('.').workspaces.map(manifestOf);
  return new Map(
    manifests.map(({ name, dependencies, optionalDependencies }) => [
      name,
      new Set(Object.keys({ ...dependencies, ...optionalDependencies })),
    ]),
  );
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
