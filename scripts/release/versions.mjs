// Where the version is written.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files with the version, and patterns of nothing but the version in them. */
function versionedFiles() {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifests = ['.', ...workspaces].map((folder) => join(folder, 'package.json'));
  return [
    ...manifests.map((file) => [file, /(?<=^ {2}"version": ")[^"]+/gm]),
    [
      'package-lock.json',
      /(?<=^ {2}"version": "|^ {4}"(?![^"]*node_modules\/)[^"]*": \{\n {6}"name": "[^"]*",\n {6}"version": ")[^"]+/gm,
    ],
    ['deploy/helm/cadastre/Chart.yaml', /(?<=^(?:version|appVersion): )\S+/gm],
    ['compose.yaml', /(?<=\$\{IMAGE_TAG:-)[^}]+/g],
    ['.env.example', /(?<=^#IMAGE_TAG=).+/gm],
    ['services/gateway/openapi.json', /(?<=^ {4}"version": ")[^"]+/gm],
  ];
}

/** Each file with its versions, once each: none if it should have one and does not. */
export function readVersions() {
  return versionedFiles().map(([file, pattern]) => ({
    file,
    versions: [...new Set(readFileSync(file, 'utf8').match(pattern) ?? [])],
  }));
}

/** Sets the version in all files; returns their names. */
export function writeVersion(version) {
  return versionedFiles().map(([file, pattern]) => {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, version));
    return file;
  });
}
