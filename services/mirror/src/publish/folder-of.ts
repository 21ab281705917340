/** The folder of a source in the store, and below the address of publications. */
export function folderOf(source: string): string {
  return `nrtmv4/${source}/`;
}
