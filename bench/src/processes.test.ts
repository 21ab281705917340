import { expect, it } from 'vitest';
import { groupOf } from './processes.ts';

it.each([
  ['objects', ['node', '--max-old-space-size=1024', '/a/services/objects/dist/main.js']],
  ['whois index-process', ['node', '/a/services/whois/dist/index-process/main.js']],
  ['supervisor', ['node', '/a/libs/system/dist/run.js']],
  ['identity-provider-main', ['node', '/a/libs/system/dist/identity-provider-main.js']],
  ['bare-server', ['node', '/a/bench/src/bare-server.ts']],
  ['PostgreSQL', ['postgres: checkpointer ']],
  ['redis-server', ['/usr/bin/redis-server', '*:6379']],
])('calls a program "%s" that runs as %j', (group, command) => {
  expect(groupOf(command)).toBe(group);
});
