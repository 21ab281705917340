/** The text of a person that EXAMPLE-MNT of the sample registry maintains. */
export function personText(name: string, key: string): string {
  return `person:         ${name}
address:        Example Street 9
phone:          +31 20 555 0109
e-mail:         person@example.net
nic-hdl:        ${key}
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
}
