// Fails when a migration blocks the services on a large table (CONTRIBUTING.md, "Tables").
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** They are older than this check; their tables were small. */
const exempt = ['services/auth/migrations/0004-account-checks.sql'];

const rules = [
  [
    /\bcreate (?:unique )?index (?!concurrently\b).*?\bon (?:only )?(\w+)/gi,
    'build the index with "create index concurrently"',
  ],
  [
    /\balter table (?:if exists )?(?:only )?(\w+)[^;]*?\balter (?:column )?\w+ (?:set data )?type\b/gi,
    'it rewrites the table',
  ],
  [/\balter table (?:if exists )?(?:only )?(\w+)[^;]*?\bset not null\b/gi, 'it reads the whole table'],
  [
    /\balter table (?:if exists )?(?:only )?(\w+)[^;]*?\badd (?:constraint \w+ )?(?:check|foreign key|unique|primary key)\b(?![^;]*(?:\bnot valid\b|\busing index\b))/gi,
    'add the constraint "not valid" or "using index"',
  ],
];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const files = globSync('services/*/migrations/*.sql').filter((file) => !exempt.includes(file));

for (const file of files) {
  const sql = readFileSync(file, 'utf8').replace(/--.*$/gm, '');
  const created = [...sql.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/gi)].map(
    ([, table]) => table,
  );
  for (const [pattern, advice] of rules) {
    for (const [, table] of sql.matchAll(pattern)) {
      if (created.includes(table)) continue;
      console.error(`${file}: blocks the table ${table}, which an earlier migration made: ${advice}`);
      process.exitCode = 1;
    }
  }
}
