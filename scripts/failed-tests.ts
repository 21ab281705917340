import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

/** Vitest's reporter that ends a run with a line for each failure, which remains visible where only the end is kept. */
export default class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message?: string }[]): void {
    const lines = [
      ...modules.flatMap((module) => [
        ...module.errors().map((error) => `${module.relativeModuleId}: ${summary(error)}`),
        ...[...module.children.allSuites()].flatMap((suite) =>
          suite.errors().map((error) => `${module.relativeModuleId} > ${suite.fullName}: ${summary(error)}`),
        ),
        ...[...module.children.allTests('failed')].map((test) => {
          const error = test.result().errors?.[0];
          return `${module.relativeModuleId} > ${test.fullName}: ${error === undefined ? '' : whatFailed(error)}`;
        }),
      ]),
      ...errors.map((error) => `outside of a test: ${summary(error)}`),
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
  return [summary(error), ...indented(differing)].join('\n');
}

/** The first line of a message and its last four, which have the reason when they are the output of a program. */
function summary({ message = '' }: { readonly message?: string }): string {
  const [first = '', ...more] = message.trimEnd().split('\n');
  return [first.slice(0, 200), ...indented(more.slice(-4))].join('\n');
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `      ${line.slice(0, 300)}`);
}
