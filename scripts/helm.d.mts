/** Path of helm: the one on PATH, else a copy that is unpacked on first use. */
export function helmProgram(): string;
/** The environment of helm. */
export function helmEnvironment(): NodeJS.ProcessEnv;
