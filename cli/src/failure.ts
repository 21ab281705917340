import { formatMessage, ServiceError, SettingsError } from '@cadastre/service';

/** A command failed; the message is for the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Explains a thrown value to the user. */
export function explain(thrown: unknown): string {
  if (thrown instanceof ServiceError) return explainServiceError(thrown);
  if (thrown instanceof SettingsError || thrown instanceof CommandFailure) return thrown.message;
  if (thrown instanceof Error && isFileError(thrown)) {
    const problem = fileProblem(thrown);
    return thrown.path === undefined ? problem : `${thrown.path}: ${problem}`;
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function explainServiceError(error: ServiceError): string {
  const text = error.messages.map((message) => formatMessage(message).trimEnd()).join('\n');
  if (error.kind === 'unavailable') return `The registry does not respond (${text}). Is it running?`;
  return text;
}

type FileError = Error & { code: string; path?: string };

const fileProblems: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOSPC: 'no space left on the device',
};

function isFileError(error: Error): error is FileError {
  return 'code' in error && typeof error.code === 'string' && error.code in fileProblems;
}

function fileProblem(error: FileError): string {
  return fileProblems[error.code] ?? error.message;
}
