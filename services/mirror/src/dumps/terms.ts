/** The lines at the beginning of each file of a dump. */
export function termsOf(
  source: string,
  serial: bigint,
  { began, termsUrl }: { readonly began: Date; readonly termsUrl: string },
): string {
  const time = `${began.toISOString().slice(0, 19)}Z`;
  return `#
# Dump of the source ${source} of ${time}, which has all changes up to serial ${serial}.
#
# It is subject to the terms and conditions of this registry:
# ${termsUrl}
#
# It has no persons, e-mail addresses, telephone numbers, free texts and password hashes: placeholders stand for them.
#
`;
}
