// Lints every chart in deploy/helm and renders it once for each of its ci/*-values.yaml.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helm } from './helm.mjs';

const charts = fileURLToPath(new URL('../deploy/helm/', import.meta.url));

function run(args, stdio) {
  if (helm(args, stdio) !== 0) throw new Error(`helm ${args.join(' ')} failed`);
}

function check(chart) {
  const cases = readdirSync(join(chart, 'ci')).filter((name) => name.endsWith('-values.yaml'));
  if (cases.length === 0) throw new Error(`${chart}/ci has no *-values.yaml`);
  for (const name of cases) {
    const values = join(chart, 'ci', name);
    run(['lint', '--strict', '--quiet', chart, '--values', values]);
    run(['template', 'trial', chart, '--values', values], ['ignore', 'ignore', 'inherit']);
    console.log(`${values}: ok`);
  }
}

try {
  for (const name of readdirSync(charts)) {
    if (existsSync(join(charts, name, 'Chart.yaml'))) check(join(charts, name));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
