import { Severity, type Message as WireMessage } from '@cadastre/proto/registry';
import type { Message, Severity as RpslSeverity } from '@cadastre/rpsl';

const severities: Record<RpslSeverity, Severity> = {
  error: Severity.SEVERITY_ERROR,
  warning: Severity.SEVERITY_WARNING,
  info: Severity.SEVERITY_INFO,
};

/** A message as callers get it. */
export function wireMessage({ severity, text, args, attribute }: Message): WireMessage {
  return { severity: severities[severity], text, args: [...args], ...(attribute && { attribute: { ...attribute } }) };
}
