export const setSamples = {
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
} as const;
