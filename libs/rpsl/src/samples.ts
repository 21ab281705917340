import type { ObjectTypeName } from './types.js';

/**
 * A sample of every type as users submit it: invented data of one example network in source TEST.
 * Every reference has its target among the samples; none has attributes that the server generates.
 */
export const samples: Readonly<Record<ObjectTypeName, string>> = {
  inetnum: `inetnum:        192.0.2.0 - 192.0.2.255
netname:        EXAMPLE-NET
descr:          Example network, first site
country:        NL
geofeed:        https://example.net/geofeed.csv
geoloc:         52.37 4.89
language:       en
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
abuse-c:        EN1-TEST
status:         ASSIGNED PA
remarks:        Office and data centre  # two buildings
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
mnt-domains:    EXAMPLE-MNT
mnt-routes:     EXAMPLE-MNT {192.0.2.0/24^+}
mnt-irt:        IRT-EXAMPLE
source:         TEST
`,
  inet6num: `inet6num:       2001:db8::/32
netname:        EXAMPLE-NET6
descr:          Example network, IPv6
country:        NL
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
status:         ALLOCATED-BY-RIR
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
mnt-lower:      EXAMPLE-MNT
mnt-routes:     EXAMPLE-MNT
mnt-irt:        IRT-EXAMPLE
source:         TEST
`,
  domain: `domain:         2.0.192.in-addr.arpa
descr:          Reverse zone of the example network
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
zone-c:         EN1-TEST
nserver:        ns1.example.net
nserver:        ns2.example.net
ds-rdata:       12345 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'as-block': `as-block:       AS64496 - AS64511
descr:          AS numbers for documentation
remarks:        Single numbers are registered as aut-num objects
org:            ORG-EX1-TEST
mnt-by:         EXAMPLE-MNT
mnt-lower:      EXAMPLE-MNT
source:         TEST
`,
  'aut-num': `aut-num:        AS64500
as-name:        EXAMPLE-AS
descr:          Example network
member-of:      AS64500:AS-CUSTOMERS
import:         from AS64501 action pref=100; accept ANY
mp-import:      afi ipv6.unicast from AS64501 accept ANY
export:         to AS64501 announce AS64500:AS-CUSTOMERS
mp-export:      afi ipv6.unicast to AS64501
                announce AS64500:AS-CUSTOMERS
default:        to AS64501 action pref=1; networks ANY
org:            ORG-EX1-TEST
admin-c:        AE1-TEST
tech-c:         EN1-TEST
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  route: `route:          192.0.2.0/24
descr:          Example network, first site
origin:         AS64500
pingable:       192.0.2.1
ping-hdl:       EN1-TEST
holes:          192.0.2.64/28, 192.0.2.128/28
org:            ORG-EX1-TEST
member-of:      AS64500:RS-EXAMPLE
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  route6: `route6:         2001:db8::/32
descr:          Example network, IPv6
origin:         AS64500
pingable:       2001:db8::1
ping-hdl:       EN1-TEST
org:            ORG-EX1-TEST
member-of:      AS64500:RS-EXAMPLE
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'inet-rtr': `inet-rtr:       rtr1.example.net
descr:          Border router
alias:          gw.example.net
local-as:       AS64500
ifaddr:         192.0.2.1 masklen 24
interface:      2001:db8::1 masklen 64
peer:           BGP4 192.0.2.2 asno(AS64501)
mp-peer:        MPBGP 2001:db8::2 asno(AS64501)
member-of:      AS64500:RTRS-EXAMPLE
admin-c:        AE1-TEST
tech-c:         EN1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'as-set': `as-set:         AS64500:AS-CUSTOMERS
descr:          The example network and its customers
members:        AS64500, AS64502, AS64503
mbrs-by-ref:    EXAMPLE-MNT
org:            ORG-EX1-TEST
tech-c:         EN1-TEST
admin-c:        AE1-TEST
notify:         noc@example.net
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'route-set': `route-set:      AS64500:RS-EXAMPLE
descr:          Routes of the example network
members:        192.0.2.0/24^+
mp-members:     2001:db8::/32^48
mbrs-by-ref:    EXAMPLE-MNT
tech-c:         EN1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'filter-set': `filter-set:     AS64500:FLTR-EXAMPLE
descr:          What customers may announce
filter:         {192.0.2.0/24^24-28} AND NOT community(64500:666)
tech-c:         EN1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'peering-set': `peering-set:    AS64500:PRNG-EXAMPLE
descr:          Peerings at the first site
peering:        AS64501 192.0.2.2 at 192.0.2.1
tech-c:         EN1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  'rtr-set': `rtr-set:        AS64500:RTRS-EXAMPLE
descr:          Routers of the example network
members:        rtr1.example.net, 192.0.2.3
mp-members:     2001:db8::3
mbrs-by-ref:    EXAMPLE-MNT
tech-c:         EN1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
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
  'poetic-form': `poetic-form:    FORM-HAIKU
descr:          Three lines of five, seven and five syllables
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  poem: `poem:           POEM-PREFIX
descr:          On address space
form:           FORM-HAIKU
text:           A prefix set free
text:           its routes fade from the tables
text:           silence on the wire
author:         AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
};
