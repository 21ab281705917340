export const addressSamples = {
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
} as const;
