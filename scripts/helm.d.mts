/** Path of the program; unpacked when it is first asked for. */
export function helmProgram(): string;
/** The environment to run it in. */
export function helmEnvironment(): NodeJS.ProcessEnv;
