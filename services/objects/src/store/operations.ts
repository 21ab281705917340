/** What a version or a change did, as it stands in the database. */
export const operations = { update: 1, delete: 2 } as const;

export type OperationCode = (typeof operations)[keyof typeof operations];
