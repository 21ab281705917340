/** Resolves to the folder of the installed server. */
export function assemble(): Promise<string>;
/** Resolves to the folder of the security plugin, for a server from `assemble`. */
export function assembleSecurity(): Promise<string>;
