import { samples } from '@cadastre/rpsl';

/** The mntner of a trial's operator. It maintains nothing else, so that all other samples have a holder. */
export const sampleOperator = 'EXAMPLE-HM-MNT';

/** Objects beyond the samples of the object language: the operator, the roots of the address trees, non-ASCII text. */
const furtherObjects = [
  `mntner:         ${sampleOperator}
descr:          The operator of this registry
admin-c:        AE1-TEST
upd-to:         alice@example.net
auth:           SSO alice@example.net
mnt-by:         ${sampleOperator}
source:         TEST
`,
  `inetnum:        0.0.0.0 - 255.255.255.255
netname:        INTERNET-ROOT
descr:          The whole IPv4 address space
country:        EU
admin-c:        AE1-TEST
tech-c:         EN1-TEST
status:         ALLOCATED UNSPECIFIED
mnt-by:         EXAMPLE-MNT
mnt-lower:      EXAMPLE-MNT
source:         TEST
`,
  `inet6num:       ::/0
netname:        INTERNET-ROOT
descr:          The whole IPv6 address space
country:        EU
admin-c:        AE1-TEST
tech-c:         EN1-TEST
status:         ALLOCATED-BY-RIR
mnt-by:         EXAMPLE-MNT
mnt-lower:      EXAMPLE-MNT
source:         TEST
`,
  `as-block:       AS65536 - AS65551
descr:          AS numbers of 32 bits for documentation
mnt-by:         EXAMPLE-MNT
mnt-lower:      EXAMPLE-MNT
source:         TEST
`,
  `person:         Bjørn Müller
address:        Große Straße 7
address:        Malmö, Sweden
phone:          +46 40 555 0103
e-mail:         bjorn@example.net
nic-hdl:        BM1-TEST
remarks:        Accents, as ISO 8859-1 has them: é à ñ ç ø å
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
];

/**
 * The objects that a first start loads into a source: one consistent sample of every type, maintained by EXAMPLE-MNT,
 * and the operator's mntner. Both have the single account alice@example.net.
 */
export function sampleRegistry(created: Date, source: string): string {
  const time = created.toISOString().replace(/\.\d+Z$/, 'Z');
  const generated = `created:        ${time}\nlast-modified:  ${time}\n`;
  return [...furtherObjects, ...Object.values(samples)]
    .map((text) => text.replace(/^source: .*$/m, `${generated}source:         ${source}`))
    .join('\n');
}
