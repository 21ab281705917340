/**
 * Limits of one connection, request or interval. They are no settings, because no deployment needs other numbers. Times
 * are in milliseconds. Tests replace them.
 */
export const usualBounds = {
  /** Time for a TLS handshake. */
  handshakeTimeoutMs: 10_000,
  /**
   * Maximum connections of one client to all ports together. HTTP/2 needs one, a browser with HTTP/1.1 six; only ten
   * clients together fill a port.
   */
  connectionsPerClient: 500,
  /** Requests on one connection. The response to the last one ends the connection: `Connection: close`, or GOAWAY. */
  requestsPerConnection: 10_000,
  /** Bytes of the request line and all headers together. */
  headerBytes: 16 * 1024,
  /** Bytes of path and query together. */
  urlBytes: 8 * 1024,
  /** Query parameters of one request. */
  parameters: 200,
  /** Bytes of a request body with credentials; its object must fit into a gRPC message. */
  bodyBytes: 5 * 1024 * 1024,
  /** Objects in one request body; in syncupdates, each is a separate write. */
  bodyObjects: 100,
  /** Nested elements or values in a request body. */
  bodyDepth: 32,
  /** Attributes in one request body, all objects together. */
  bodyAttributes: 25_000,
  /** Time for a client to send complete headers. */
  headersTimeout: 10_000,
  /** Time for a client to send a complete request. */
  requestTimeout: 30_000,
  /** Time for a complete search, including the transmission of its result. */
  streamDeadline: 10 * 60_000,
  /** Time after which the gateway closes the connection of a client that reads nothing of a result. */
  stallTimeout: 60_000,
  /** Silence after which a change stream sends a heartbeat. */
  streamHeartbeat: 15_000,
  /** Interval at which a change stream without events sends its position. */
  streamPosition: 60_000,
  /** Requests that take longer are logged at level warn. */
  slowRequest: 2_000,
  /** Interval of polling the files of the HTTPS certificate. */
  certificateCheck: 30_000,
  /** Interval of polling the bootstrap files of RDAP. */
  rdapFilesCheck: 30_000,
  /** Silence after which the stream of changes of credentials and blocks counts as broken. */
  credentialSilence: 5_000,
  /** Interval of sharing counts through Redis. */
  limitsSync: 100,
};

/** Limits that operators cannot set. */
export type Bounds = Readonly<typeof usualBounds>;
