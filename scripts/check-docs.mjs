// Checks what documents and comments name: files and sections behind links, decisions (ADR), pages, metrics, settings,
// log events. Tables of docs/reference/ are generated (scripts/reference.mjs), so they know what there is.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
});
/** Migrations stay as they are: databases store their checksums. */
const files = tracked
  .trim()
  .split('\n')
  .filter((file) => existsSync(file) && !/\/migrations\/|\.(png|jpg|svg|binpb|ico|gz)$|package-lock\.json$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const pages = files.filter((file) => file.endsWith('.md'));
const problems = [];

/** Text without code, whose brackets are no links. */
const prose = (text) => text.replace(/^ *```.*?^ *```$/gms, '').replace(/`[^`]*`/g, '');

/** What GitHub makes of headings. */
function anchorsOf(page) {
  const headings = texts
    .get(page)
    .replace(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

for (const page of pages) {
  for (const [, target] of prose(texts.get(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path, anchor] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(file)) problems.push(`${page}: no file ${target}`);
    else if (anchor && statSync(file).isFile() && texts.has(file) && !anchorsOf(file).has(anchor)) {
      problems.push(`${page}: no section ${target}`);
    }
  }
}

const decisions = new Set(readdirSync('docs/adr').map((name) => name.slice(0, 4)));
const index = texts.get('docs/adr/README.md');
for (const name of readdirSync('docs/adr')) {
  if (name !== 'README.md' && !index.includes(`](${name})`)) problems.push(`docs/adr/README.md: does not list ${name}`);
}
const metrics = new Set(texts.get('docs/reference/metrics.md').match(/cadastre_\w+/g));
const isMetric = (name) => metrics.has(name) || metrics.has(name.replace(/_(search|whois)_roa/, '_SERVICE_roa'));
/** Settings that went, which pages about upgrades and removals name. */
const former = ['CADASTRE_MAIL_BOUNCES_LISTEN', 'CADASTRE_GEO_SUSPECT_MAILBOXES'];
/** Settings of services, of the command line program, of compose and of tests. A secret may be without `_FILE`. */
const settings = texts.get('docs/reference/settings.md');
const others = files.filter((file) =>
  /^(cli\/src\/|compose\.yaml$|(libs|services)\/\w+\/tests\/|test-sizes\.ts$|scripts\/)/.test(file),
);
const isSetting = (name) =>
  former.includes(name) ||
  new RegExp(`\\b${name}(_FILE)?\\b`).test(settings) ||
  others.some((file) => texts.get(file).includes(name));
const events = texts.get('docs/reference/log-events.md');
/** A few events get their text from a caller that the list does not follow. */
const isInSource = (event) =>
  [...texts].some(([file, text]) => /^(services|libs)\/.*\.ts$/.test(file) && text.includes(`'${event}'`));
for (const [file, text] of texts) {
  for (const [mention, number] of text.matchAll(/\bADRs?[\s/-]{1,4}(?:\* )?(\d{4})\b/g)) {
    if (!decisions.has(number)) problems.push(`${file}: no decision ${mention.replace(/\s+/g, ' ')}`);
  }
  for (const [page] of text.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md\b/g)) {
    if (!existsSync(page)) problems.push(`${file}: no page ${page}`);
  }
}
for (const page of pages.filter((name) => name.startsWith('docs/') || name.endsWith('README.md'))) {
  for (const [name] of texts.get(page).matchAll(/`CADASTRE_[A-Z_]+[A-Z](?=[`=])/g)) {
    if (!isSetting(name.slice(1))) problems.push(`${page}: no setting ${name.slice(1)}`);
  }
  for (const [name] of texts.get(page).matchAll(/\bcadastre_(?!next)[a-z_]+[a-z](?![\w.*]|\.)/g)) {
    const base = name.replace(/_(bucket|count|sum)$/, '');
    if (!isMetric(name) && !isMetric(base)) problems.push(`${page}: no metric ${name}`);
  }
}
for (const [, event] of (
  /^## Log events\n(.*?)(?=^## )/ms.exec(texts.get('docs/operate/runbook.md'))?.[1] ?? ''
).matchAll(/^- `([^`]+)`/gm)) {
  if (!events.includes(`\`${event}\``) && !isInSource(event))
    problems.push(`docs/operate/runbook.md: no event "${event}"`);
}

for (const page of pages.filter((name) => name.startsWith('docs/') && !name.startsWith('docs/reference/'))) {
  for (const [, text] of texts.get(page).matchAll(/\bevents?\s+`([a-z][^`]* [^`]*)`/g)) {
    const event = text.replace(/\s+/g, ' ');
    if (!events.includes(`\`${event}`)) problems.push(`${page}: no event "${event}"`);
  }
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
