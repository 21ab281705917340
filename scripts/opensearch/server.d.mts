/** A running OpenSearch server. */
export interface OpenSearchServer {
  url: string;
  /** Resolves when its process has ended. */
  exited: Promise<unknown>;
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
}

export function startServer(installed: string, options?: ServerOptions): Promise<OpenSearchServer>;
