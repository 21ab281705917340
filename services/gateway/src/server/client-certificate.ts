import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { readAddressList } from '@cadastre/service';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/** Finds the client certificates of connections and requests. */
export interface ClientCertificates {
  /** Stores the leaf certificate of a new TLS connection. The client has not proved the possession of any other key. */
  connected(socket: TLSSocket): void;
  /** Removes the header Client-Cert (RFC 9440), unless a trusted proxy sent the request over HTTPS. */
  strip(request: IncomingMessage): void;
  /**
   * The certificate of a request in DER form: that in Client-Cert from a trusted proxy, else that of the connection.
   * Throws an HttpError (400) when Client-Cert has no certificate.
   */
  of(request: IncomingMessage): Buffer | undefined;
}

const headerName = 'client-cert';

/** A property of the socket. The sockets of HTTP/2 requests are proxies with the properties of the real one. */
const shownLeaf = Symbol('certificate of the client');
type CertifiedSocket = Socket & { [shownLeaf]?: Buffer };

/** `trustedProxies`: addresses and prefixes that may send Client-Cert. Throws a SettingsError for anything else. */
export function createClientCertificates(trustedProxies: readonly string[]): ClientCertificates {
  const trusted = readAddressList('CADASTRE_GATEWAY_CLIENT_CERT_FROM', trustedProxies);
  // The certificate of a proxy is not the client's.
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
  if (!isCertificate(der)) throw new HttpError(400, messages.badClientCertificateHeader());
  return der;
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.equals(der);
  } catch {
    return false;
  }
}
