import type { Reporter, TestCase } from 'vitest/node';

/** Prints why a test that passed at the second try did not pass at the first. */
export default class RetryReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== 'passed' || errors.length === 0) return;
    const reasons = errors.map(({ message, diff = '' }) => `${message}\n${diff}`);
    console.log([`RETRIED: ${test.module.relativeModuleId}: ${test.fullName}`, ...reasons].join('\n'));
  }
}
