import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('secrets are redacted at the top of an event and inside its fields', () => {
  const script = `
    const { createLogger } = await import(${JSON.stringify(new URL('./logger.ts', import.meta.url).href)});
    const logger = createLogger({ service: 'test' }).child({ requestId: 'r' });
    logger.info({ authorization: 'hunter2', key: { secret: 'hunter2' }, request: { headers: { cookie: 'hunter2' } } }, 'seen');`;
  const line = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(line)).toMatchObject({ level: 'info', service: 'test', requestId: 'r', msg: 'seen' });
  expect(line).not.toContain('hunter2');
});
