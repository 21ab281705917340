// audit.mjs: writes audit.md for the release notes: the known vulnerabilities of production packages, as `npm audit`
// reports them, or why it did not. Decide yourself whether they stop the release.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseDirectory, runStep } from './step.mjs';

await runStep(import.meta.filename, () => {
  const report = audited();
  writeFileSync(join(releaseDirectory(), 'audit.md'), report);
  process.stdout.write(report);
});

function audited() {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=30000'];
  const { stdout } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const { metadata, vulnerabilities, message } = readReport(stdout);
  if (metadata === undefined) return `\`npm audit\` did not run: ${message}\n`;
  const day = new Date().toISOString().slice(0, 10);
  const { total, prod } = { total: metadata.vulnerabilities.total, prod: metadata.dependencies.prod };
  const lines = Object.values(vulnerabilities).map(describe);
  const found = total === 0 ? 'no known vulnerability' : `${total} packages with known vulnerabilities`;
  return `\`npm audit\` of ${day}: ${found} among ${prod} production packages.\n${lines.join('')}`;
}

function readReport(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { message: 'npm gave no report' };
  }
}

/** `via` has advisories, and names of packages that have one. */
function describe({ name, severity, range, via }) {
  const advisories = via.filter((one) => typeof one === 'object').map(({ title, url }) => `[${title}](${url})`);
  const reasons = advisories.length > 0 ? advisories : via;
  return `- ${name} ${range} (${severity}): ${reasons.join(', ')}\n`;
}
