import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { readAddressList } from './address-list.js';
import { Refusal } from './errors.js';
import { messages } from './messages.js';

/** Knows the client certificates of connections and requests. */
export interface ClientCertificates {
  /** Takes note of the leaf certificate of a new TLS connection. The rest of what the client sent proves nothing. */
  connected(socket: TLSSocket): void;
  /** Takes the header Client-Cert (RFC 9440) out of a request that comes from nobody who may send it. */
  strip(request: IncomingMessage): void;
  /**
   * The certificate of a request in DER form: what a trusted proxy says in Client-Cert, else the connection's own.
   * Throws a Refusal (400) when a trusted proxy sends what is no certificate.
   */
  of(request: IncomingMessage): Buffer | undefined;
}

const headerName = 'client-cert';

/** Kept with the connection: the sockets that HTTP/2 requests show are others, which lead to what the real one has. */
const shownLeaf = Symbol('certificate of the client');
type CertifiedSocket = Socket & { [shownLeaf]?: Buffer };

/** `trustedProxies`: addresses and prefixes that may send Client-Cert. Throws a SettingsError for anything else. */
export function createClientCertificates(trustedProxies: readonly string[]): ClientCertificates {
  const trusted = readAddressList('CADASTRE_GATEWAY_CLIENT_CERT_FROM', trustedProxies);
  // What a proxy shows for itself says nothing about the client.
  const own = ({ socket }: IncomingMessage) => {
    const leaf = (socket as CertifiedSocket)[shownLeaf];
    return leaf && !trusted.includes(socket.remoteAddress) ? leaf : undefined;
  };
  return {
    connected(socket) {
      const leaf = socket.getPeerX509Certificate();
      if (leaf) (socket as CertifiedSocket)[shownLeaf] = leaf.raw;
    },
    strip(request) {
      if (request.headers[headerName] === undefined) return;
      const { encrypted } = request.socket as { encrypted?: boolean };
      if (!encrypted || !trusted.includes(request.socket.remoteAddress)) delete request.headers[headerName];
    },
    of(request) {
      const header = request.headers[headerName];
      return header === undefined ? own(request) : certificateInHeader(String(header));
    },
  };
}

/** RFC 9440 section 2.2: a byte sequence of structured fields, ":" Base64 of DER ":". */
function certificateInHeader(header: string): Buffer {
  const der = Buffer.from(/^\s*:([A-Za-z0-9+/]+={0,2}):\s*$/.exec(header)?.[1] ?? '', 'base64');
  if (!isCertificate(der)) throw new Refusal(400, messages.badClientCertificateHeader());
  return der;
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.equals(der);
  } catch {
    return false;
  }
}
