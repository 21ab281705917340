import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { helmEnvironment, helmProgram } from '../../../scripts/helm.mjs';

/** Runs helm and kubectl in one namespace, as an operator does. Both reject with the program's messages. */
export interface Operator {
  helm(...args: string[]): Promise<Answer>;
  kubectl(...args: string[]): Promise<string>;
  /** `kubectl` with standard input. */
  kubectlWith(input: string, ...args: string[]): Promise<string>;
}

interface Answer {
  stdout: string;
  stderr: string;
}

/** An operator of the cluster that `kubeconfig` names. */
export function operatorOf(kubeconfig: string, namespace: string): Operator {
  const options = { env: { ...helmEnvironment(), KUBECONFIG: kubeconfig }, maxBuffer: 64 * 1024 * 1024 };
  const run = (program: string, args: string[], input?: string) => {
    const answer = promisify(execFile)(program, ['--namespace', namespace, ...args], options);
    answer.child.stdin?.end(input);
    return answer;
  };
  return {
    helm: (...args) => run(helmProgram(), args),
    kubectl: async (...args) => (await run('kubectl', args)).stdout,
    kubectlWith: async (input, ...args) => (await run('kubectl', args, input)).stdout,
  };
}
