/** A running OpenSearch server, which is killed when this process ends. */
export interface OpenSearchServer {
  url: string;
  pid(): number;
  /** Kills it. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, with its data; needs a `http.port` among the settings. */
  start(): Promise<void>;
  /** Kills it and deletes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Of opensearch.yml; default: a cluster of one server. */
  settings?: Record<string, unknown>;
  /** Files and folders in config/: name to the path of what is copied. */
  files?: Record<string, string>;
  /** Folders of plugins. */
  plugins?: string[];
  /** Default 512. */
  heapMb?: number;
}

/** The programs that a server needs and this machine lacks. */
export function missingPrograms(): string[];

export function startServer(installed: string, options?: ServerOptions): Promise<OpenSearchServer>;
