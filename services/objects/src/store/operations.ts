/** The operation of a version or a change, as stored. */
export const operations = { update: 1, delete: 2 } as const;

export type OperationCode = (typeof operations)[keyof typeof operations];
