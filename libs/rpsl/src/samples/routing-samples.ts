export const routingSamples = {
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
} as const;
