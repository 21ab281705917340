import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** A service of compose.yaml: the parts that tests use. */
export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string | number | null>;
  secrets?: (string | { source: string; target: string })[];
  volumes?: string[];
  networks: string[];
  ports?: string[];
  profiles?: string[];
  user?: string;
  read_only?: boolean;
  mem_limit?: string;
  restart?: string;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  healthcheck?: { test: string[]; interval: string; timeout: string };
  depends_on?: Record<string, { condition: string }>;
}

/** compose.yaml with its variables filled in. */
export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  /** Path of the file of each secret. */
  secrets: Record<string, { file: string }>;
}

/** The folder with compose.yaml. */
export const projectDirectory = fileURLToPath(new URL('../../../../', import.meta.url));

/** Reads compose.yaml with these variables; the others have the defaults of the file. */
export function readComposeFile(variables: Record<string, string> = {}): ComposeFile {
  const text = readFileSync(`${projectDirectory}compose.yaml`, 'utf8');
  const filled = text.replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_, name, otherwise) => variables[name] || otherwise || '',
  );
  return parse(filled, { merge: true }) as ComposeFile;
}
