import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';

const file = fileURLToPath(new URL('../openapi.json', import.meta.url));

// A source with the name of the first word of another path has no change stream: the other path takes precedence.
it('Redocly finds nothing but redirects without a success, the change stream, and the 404 of unknown paths', async () => {
  const problems = await lint({ ref: file, config: await createConfig({ extends: ['recommended'] }) });
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([
    'no-ambiguous-paths #/paths/~1references~1{source}',
    'no-ambiguous-paths #/paths/~1batch~1{source}',
    'no-ambiguous-paths #/paths/~1syncupdates~1{source}',
    'no-ambiguous-paths #/paths/~1abuse-contact~1{resource}',
    'no-ambiguous-paths #/paths/~1api-keys~1{id}',
    'no-ambiguous-paths #/paths/~1webhooks~1{id}',
    'no-ambiguous-paths #/paths/~1docs~1{file}',
    'operation-2xx-response #/paths/~1session~1login/get/responses',
    'operation-2xx-response #/paths/~1session~1callback/get/responses',
    'no-unused-components #/components/responses/NotFoundRead',
    'no-unused-components #/components/responses/NotFoundWrite',
    'no-unused-components #/components/responses/NotFoundRdap',
  ]);
});

it('Spectral finds nothing but the missing address of an operator, and the 404 of unknown paths', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [oas as RulesetDefinition] });
  const problems = await linter.run(JSON.parse(readFileSync(file, 'utf8')));
  expect(problems.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
    'info-contact info',
    'oas3-unused-component components.responses.NotFoundRead',
    'oas3-unused-component components.responses.NotFoundWrite',
    'oas3-unused-component components.responses.NotFoundRdap',
  ]);
});
