import { Severity } from '@cadastre/proto/registry';

/** The name of a severity in answers. */
export function severityName(severity: Severity): string {
  if (severity === Severity.SEVERITY_WARNING) return 'Warning';
  return severity === Severity.SEVERITY_INFO ? 'Info' : 'Error';
}
