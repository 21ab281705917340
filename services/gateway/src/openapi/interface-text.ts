import { routes } from '../routes/index.js';
import { describeInterface } from './describe-interface.js';

/** The description of the interface as JSON text, which ends with LF. */
export function interfaceText(version: string): string {
  return `${JSON.stringify(describeInterface(routes, version), undefined, 2)}\n`;
}
