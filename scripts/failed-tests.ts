import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

/** Vitest's reporter that ends a run with a line for each failure, which remains visible where only the end is kept. */
export default class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message?: string }[]): void {
    const lines = [
      ...modules.flatMap((module) => [
        ...module.errors().map((error) => `${module.relativeModuleId}: ${firstLine(error)}`),
        ...[...module.children.allSuites()].flatMap((suite) =>
          suite.errors().map((error) => `${module.relativeModuleId} > ${suite.fullName}: ${firstLine(error)}`),
        ),
        ...[...module.children.allTests('failed')].map((test) => {
          const error = test.result().errors?.[0];
          return `${module.relativeModuleId} > ${test.fullName}: ${error === undefined ? '' : whatFailed(error)}`;
        }),
      ]),
      ...errors.map((error) => `outside of a test: ${firstLine(error)}`),
    ];
    if (lines.length > 0) process.stdout.write(`Failed:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
}

/** The message of an error, and the lines that differ. */
function whatFailed(error: { readonly message?: string; readonly diff?: string }): string {
  const differing = stripVTControlCharacters(error.diff ?? '')
    .split('\n')
    .filter((line) => /^[+-] +\S/.test(line) && !/^[+-] (Expected|Received)/.test(line))
    .slice(0, 8);
  return [firstLine(error), ...differing.map((line) => `    ${line.slice(0, 300)}`)].join('\n  ');
}

function firstLine(error: { readonly message?: string }): string {
  return (error.message ?? '').split('\n', 1)[0]?.slice(0, 200) ?? '';
}
