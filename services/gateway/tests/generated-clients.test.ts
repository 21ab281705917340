import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInstalled } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../openapi.json', import.meta.url));
const generator = { group: 'org.openapitools', name: 'openapi-generator-cli', version: '7.14.0' };
const patienceMs = 240_000;

const missing = ['java', 'mvn', 'go', 'python3'].filter((program) => !isInstalled(program));
if (missing.length > 0) console.warn(`SKIPPED: no clients are generated in Go and Python: no ${missing.join(', ')}.`);

// The client in TypeScript is the package clients/typescript, which the type check of the whole repository compiles.
describe.skipIf(missing.length > 0)('clients that OpenAPI Generator makes of the description', () => {
  let folder: string;
  let gateway: RunningGateway;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cadastre-clients-'));
    const { group, name, version } = generator;
    const artifact = `-Dartifact=${group}:${name}:${version}`;
    await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], { cwd: folder });
    gateway = await startGateway({ reader: exampleReader });
  }, patienceMs);

  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const generate = async (language: string) => {
    const target = path.join(folder, language);
    const jar = path.join(folder, `${generator.name}-${generator.version}.jar`);
    const options = ['-i', file, '-g', language, '-o', target, '--additional-properties=packageName=cadastre'];
    await run('java', ['-jar', jar, 'generate', ...options], { maxBuffer: 64 * 1024 * 1024 });
    return target;
  };

  it('Go: builds, and looks up an object', { timeout: patienceMs }, async () => {
    const client = await generate('go');
    const module = 'module example.net/lookup\n\ngo 1.21\n\nrequire github.com/GIT_USER_ID/GIT_REPO_ID v0.0.0\n';
    const program = path.join(folder, 'lookup');
    await run('mkdir', [program]);
    await writeFile(
      path.join(program, 'go.mod'),
      `${module}\nreplace github.com/GIT_USER_ID/GIT_REPO_ID => ${client}\n`,
    );
    await writeFile(path.join(program, 'main.go'), goProgram);
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' };
    const { stdout } = await run('go', ['run', '.', `http://127.0.0.1:${gateway.gateway.ports().http}`], {
      cwd: program,
      env,
    });
    expect(stdout).toBe('mntner EXAMPLE-MNT admin-c EX1-TEST\n');
  });

  it('Python: compiles', { timeout: patienceMs }, async () => {
    const client = await generate('python');
    await run('python3', ['-m', 'compileall', '-q', path.join(client, 'cadastre')]);
    expect(existsSync(path.join(client, 'cadastre', 'models', 'whois_resources.py'))).toBe(true);
  });
});

const goProgram = `package main

import (
	"context"
	"fmt"
	"os"

	cadastre "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	settings := cadastre.NewConfiguration()
	settings.Servers = cadastre.ServerConfigurations{{URL: os.Args[1]}}
	client := cadastre.NewAPIClient(settings)
	found, _, err := client.ObjectsAPI.LookUpObject(context.Background(), "TEST", "mntner", "EXAMPLE-MNT").Execute()
	if err != nil {
		panic(err)
	}
	object := found.Objects.Object[0]
	for _, attribute := range object.Attributes.Attribute {
		if attribute.Name == "admin-c" {
			fmt.Println(object.Type, object.PrimaryKey.Attribute[0].Value, attribute.Name, attribute.Value)
		}
	}
}
`;
