import { formatMessage, ServiceError, SettingsError } from '@cadastre/service';

/** A command that cannot be carried out; the message is for the person who typed it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** What to tell the person about anything that was thrown. */
export function explain(thrown: unknown): string {
  if (thrown instanceof ServiceError) return explainServiceError(thrown);
  if (thrown instanceof SettingsError || thrown instanceof CommandFailure) return thrown.message;
  if (thrown instanceof Error && isFileError(thrown)) return `${thrown.path ?? 'file'}: ${fileProblem(thrown)}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function explainServiceError(error: ServiceError): string {
  const text = error.messages.map((message) => formatMessage(message).trimEnd()).join('\n');
  if (error.kind === 'unavailable') return `The registry does not answer (${text}). Is it running?`;
  return text;
}

type FileError = Error & { code: string; path?: string };

const fileProblems: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

function isFileError(error: Error): error is FileError {
  return 'code' in error && typeof error.code === 'string' && error.code in fileProblems;
}

function fileProblem(error: FileError): string {
  return fileProblems[error.code] ?? error.message;
}
