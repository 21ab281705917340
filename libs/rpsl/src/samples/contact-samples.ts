export const contactSamples = {
  mntner: `mntner:         EXAMPLE-MNT
descr:          Maintainer of the example network
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
upd-to:         noc@example.net
mnt-nfy:        noc@example.net
auth:           SSO alice@example.net
auth:           PGPKEY-48C3FC51
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
mnt-ref:        EXAMPLE-MNT
source:         TEST
`,
  irt: `irt:            IRT-EXAMPLE
address:        Example Street 1
address:        1012 AB Amsterdam
address:        The Netherlands
phone:          +31 20 555 0100
fax-no:         +31 20 555 0101
e-mail:         irt@example.net
signature:      PGPKEY-48C3FC51
encryption:     PGPKEY-48C3FC51
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
auth:           SSO alice@example.net
irt-nfy:        irt@example.net
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'key-cert': `key-cert:       PGPKEY-48C3FC51
certif:         -----BEGIN PGP PUBLIC KEY BLOCK-----
certif:
certif:         mDMEZZIAgBYJKwYBBAHaRw8BAQdAmk9ANuJW+c4SAnFh5077SI1TdxyuLaG1WDnq
certif:         0xLlb9C0IUFsaWNlIEV4YW1wbGUgPGFsaWNlQGV4YW1wbGUubmV0PoiQBBMWCAA4
certif:         FiEE6kRt3C0lqkJuZkLoZARe1kjD/FEFAmWSAIACGwMFCwkIBwIGFQoJCAsCBBYC
certif:         AwECHgECF4AACgkQZARe1kjD/FEiGgEA3nzUzifyAxGQqEYPA6d0530qCeq79kG7
certif:         wjRkb6zxD7sA/jnfF6HW/Edk6QWCc/st7g5LxV59VXxdHGsl5JLZ7mkL
certif:         =+Cdr
certif:         -----END PGP PUBLIC KEY BLOCK-----
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  organisation: `organisation:   ORG-EX1-TEST
org-name:       Example Networks (NL) B.V.
org-type:       OTHER
descr:          Holder of the example network
address:        Example Street 1
address:        1012 AB Amsterdam
address:        The Netherlands
country:        NL
phone:          +31 20 555 0100
fax-no:         +31 20 555 0101
e-mail:         info@example.net
language:       en
admin-c:        AE1-TEST
tech-c:         EN1-TEST
abuse-c:        EN1-TEST
ref-nfy:        info@example.net
mnt-ref:        EXAMPLE-MNT
notify:         info@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  role: `role:           Example Network Operations
address:        Example Street 1
address:        1012 AB Amsterdam
address:        The Netherlands
phone:          +31 20 555 0100 ext. 3
e-mail:         noc@example.net
contact:        https://wa.me/31205550100
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         AE1-TEST
nic-hdl:        EN1-TEST
remarks:        Day and night
notify:         noc@example.net
abuse-mailbox:  abuse@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  person: `person:         Alice Example
address:        Example Street 1
address:        1012 AB Amsterdam
address:        The Netherlands
phone:          +31 20 555 0102
e-mail:         alice@example.net
org:            ORG-EX1-TEST
nic-hdl:        AE1-TEST
notify:         alice@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
} as const;
