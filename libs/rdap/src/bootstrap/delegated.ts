import { parseIpv4, parseIpv6 } from '@cadastre/rpsl';
import { lastAsNumber, printAsNumbers, printPrefixes } from './entries.js';
import { type BootstrapService, printBootstrapFile } from './files.js';
import type { SpanKind } from './service-table.js';
import { merged, type Span } from './spans.js';

/** Collects spans; stores about as many as remain after merging. */
class SpanCollector {
  #spans: Span[] = [];
  #next = 4096;

  add(span: Span): void {
    this.#spans.push(span);
    if (this.#spans.length < this.#next) return;
    this.#spans = merged(this.#spans);
    this.#next = Math.max(4096, 2 * this.#spans.length);
  }

  spans(): readonly Span[] {
    return merged(this.#spans);
  }
}

/** What a registry has delegated, from its "delegated-extended" files. */
export class Delegations {
  readonly #collectors: Record<SpanKind, SpanCollector> = {
    ipv4: new SpanCollector(),
    ipv6: new SpanCollector(),
    asn: new SpanCollector(),
  };

  /**
   * Reads a line, `registry|cc|type|start|value|date|status|...`. Collects what is allocated or assigned; skips
   * comments, the header, summaries, and what is available or reserved. Returns false for any other line.
   */
  addLine(line: string): boolean {
    const [, , kind, start = '', value = '', , status = ''] = line.split('|');
    if (line === '' || line.startsWith('#') || /^\d/.test(line) || line.endsWith('|summary')) return true;
    if (status === 'available' || status === 'reserved') return true;
    if (status !== 'allocated' && status !== 'assigned') return false;
    if (kind !== 'ipv4' && kind !== 'ipv6' && kind !== 'asn') return false;
    const span = readDelegation(kind, start, value);
    if (span === undefined) return false;
    this.#collectors[kind].add(span);
    return true;
  }

  spans(kind: SpanKind): readonly Span[] {
    return this.#collectors[kind].spans();
  }
}

function readDelegation(kind: SpanKind, start: string, value: string): Span | undefined {
  if (!/^\d{1,10}$/.test(value)) return undefined;
  const count = kind === 'ipv6' ? 1n << BigInt(128 - Math.min(128, Number(value))) : BigInt(value);
  const first = firstNumber(kind, start);
  if (first === undefined || count === 0n) return undefined;
  const last = first + count - 1n;
  return last <= (kind === 'ipv6' ? (1n << 128n) - 1n : lastAsNumber) ? { first, last } : undefined;
}

function firstNumber(kind: SpanKind, text: string): bigint | undefined {
  if (kind === 'asn') return /^\d{1,10}$/.test(text) ? BigInt(text) : undefined;
  if (kind === 'ipv6') return parseIpv6(text);
  const address = parseIpv4(text);
  return address === undefined ? undefined : BigInt(address);
}

/** The files "ipv4", "ipv6" and "asn" with the services of the registries, as texts by their names. */
export function redirectFiles(
  registries: readonly { readonly base: string; readonly delegations: Delegations }[],
  publication: Date,
): Record<SpanKind, string> {
  const file = (kind: SpanKind, print: (span: Span) => readonly string[]) => {
    const services: BootstrapService[] = registries.map(({ base, delegations }) => ({
      entries: delegations.spans(kind).flatMap(print),
      urls: [`${base.replace(/\/+$/, '')}/`],
    }));
    return printBootstrapFile(kind, { publication, services: services.filter(({ entries }) => entries.length > 0) });
  };
  return {
    ipv4: file('ipv4', (span) => printPrefixes(4, span)),
    ipv6: file('ipv6', (span) => printPrefixes(6, span)),
    asn: file('asn', (span) => [printAsNumbers(span)]),
  };
}
