/** The required attributes of each type, with keys that the sample registry does not have. */
const contacts = `admin-c:        AE1-TEST
tech-c:         EN1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
const maintained = `mnt-by:         EXAMPLE-MNT
source:         TEST
`;

/** A self-signed certificate for these tests, valid for a hundred years; its key is lost. */
const certificate = `certif:         -----BEGIN CERTIFICATE-----
certif:         MIIDWTCCAkGgAwIBAgIUB7lEp7ueevSfRq6UBO3YooPvnx8wDQYJKoZIhvcNAQEL
certif:         BQAwOzEXMBUGA1UEAwwORXhhbXBsZSBTaWduZXIxIDAeBgkqhkiG9w0BCQEWEWFs
certif:         aWNlQGV4YW1wbGUubmV0MCAXDTI2MTEyMTEwMjUxMVoYDzIxMjYxMDI4MTAyNTEx
certif:         WjA7MRcwFQYDVQQDDA5FeGFtcGxlIFNpZ25lcjEgMB4GCSqGSIb3DQEJARYRYWxp
certif:         Y2VAZXhhbXBsZS5uZXQwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCW
certif:         4fBPhiTab+EYHj1xFtPElGpmsoGwO2oLQmazKb33GJOEH+bXnGFZRtx+ZX9b/aD9
certif:         slIR4cPfQSlqyskmq605sFXOEWMn2Mu/q4yNqxRCa/YALBRl2LOn4IvrcpA+NaQ7
certif:         Q5KS4U+3Pp4YXABbnbgiqF5KEbv4NKEc0l8sQyxPqw9CTC9dscEZl3KrXahsM9QE
certif:         EA5KlrD9oRqs6xaz+v+UDL2IpqenKs3lkV7xHvdTJrbprt/GY5xqZ4GHsImLYNJA
certif:         Ex02V/JqOnkNPmAs0VzQikHX1oDx541t74DkRQ5r4DOR+7uCEcPqiqrxlXURbWp2
certif:         R0Ui8l917LRJYV1aq5B9AgMBAAGjUzBRMB0GA1UdDgQWBBSU0vR2ZbOv/2Kdffse
certif:         5TXC5iMBSTAfBgNVHSMEGDAWgBSU0vR2ZbOv/2Kdffse5TXC5iMBSTAPBgNVHRMB
certif:         Af8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBk/740GuzCcGAsRVpDyf6HbIrd
certif:         dFLHK/JaBJpW7pmczJCc0ULPFWWzTStmHwSfCNFHyOmja5ET4nMcLZmogpCBmBxs
certif:         x8cuIjdtyUltM5S7rxAx/VxiMq7hu+yLKe8W6RnxnKQuJ1wR8NSD2gmDce1XV2nD
certif:         m1PIfN4tCk7XTWZfNw3JKxQUOmwkwwNu/hRD/EcO50WtgwMdYHy8M2RpdrQh7K9s
certif:         QwqvA+hzPVgvZSrejDrYyBMjiaAxeko0J7wWXYYpw1kjwwI4vhBntf7B93rYori1
certif:         8UeplMo/rXZ7BSHHhA8iIltw0fb2cfbJ9VqClKMgJXc5QNGebWUmHXTozWNo
certif:         -----END CERTIFICATE-----`;

/** A new object of a type. */
export interface NewObject {
  type: string;
  /** The key as in a path. */
  key: string;
  text: string;
  /** The key as in the request that creates it, for keys that the registry assigns. */
  submittedKey?: string;
}

/** One object of every type that EXAMPLE-MNT may create besides the sample objects, in a valid order. */
export const newObjects: NewObject[] = [
  {
    type: 'person',
    key: 'NP1-TEST',
    text: `person:         New Person
address:        Example Street 3
phone:          +31 20 555 0133
e-mail:         person@example.net
nic-hdl:        NP1-TEST
${maintained}`,
  },
  {
    type: 'role',
    key: 'NR1-TEST',
    text: `role:           New Role
address:        Example Street 3
e-mail:         role@example.net
nic-hdl:        NR1-TEST
${contacts}`,
  },
  {
    type: 'mntner',
    key: 'NEW-MNT',
    text: `mntner:         NEW-MNT
admin-c:        AE1-TEST
upd-to:         noc@example.net
auth:           SSO alice@example.net
${maintained}`,
  },
  {
    type: 'organisation',
    key: 'ORG-NN1-TEST',
    submittedKey: 'AUTO-1',
    text: `organisation:   ORG-NN1-TEST
org-name:       New Networks
org-type:       OTHER
address:        Example Street 3
country:        NL
e-mail:         org@example.net
mnt-ref:        EXAMPLE-MNT
${maintained}`,
  },
  {
    type: 'irt',
    key: 'IRT-NEW',
    text: `irt:            IRT-NEW
address:        Example Street 3
e-mail:         irt@example.net
auth:           SSO alice@example.net
${contacts}`,
  },
  {
    type: 'key-cert',
    key: 'X509-1',
    submittedKey: 'AUTO-1',
    text: `key-cert:       X509-1
${certificate}
${maintained}`,
  },
  {
    type: 'as-block',
    key: 'AS64512 - AS64520',
    text: `as-block:       AS64512 - AS64520
${maintained}`,
  },
  {
    type: 'aut-num',
    key: 'AS64512',
    text: `aut-num:        AS64512
as-name:        NEW-AS
${contacts}`,
  },
  {
    type: 'inetnum',
    key: '198.51.100.0 - 198.51.100.255',
    text: `inetnum:        198.51.100.0 - 198.51.100.255
netname:        NEW-NET
country:        NL
status:         ASSIGNED PA
${contacts}`,
  },
  {
    type: 'inet6num',
    key: '2001:db8:7::/48',
    text: `inet6num:       2001:db8:7::/48
netname:        NEW-NET6
country:        NL
status:         ASSIGNED
${contacts}`,
  },
  {
    type: 'domain',
    key: '100.51.198.in-addr.arpa',
    text: `domain:         100.51.198.in-addr.arpa
nserver:        ns1.example.net
nserver:        ns2.example.net
zone-c:         EN1-TEST
${contacts}`,
  },
  {
    type: 'route',
    key: '198.51.100.0/24AS64500',
    text: `route:          198.51.100.0/24
origin:         AS64500
${maintained}`,
  },
  {
    type: 'route6',
    key: '2001:db8:7::/48AS64500',
    text: `route6:         2001:db8:7::/48
origin:         AS64500
${maintained}`,
  },
  {
    type: 'as-set',
    key: 'AS64500:AS-NEW',
    text: `as-set:         AS64500:AS-NEW
members:        AS64500
${contacts}`,
  },
  {
    type: 'route-set',
    key: 'AS64500:RS-NEW',
    text: `route-set:      AS64500:RS-NEW
members:        198.51.100.0/24
${contacts}`,
  },
  {
    type: 'filter-set',
    key: 'AS64500:FLTR-NEW',
    text: `filter-set:     AS64500:FLTR-NEW
filter:         {198.51.100.0/24}
${contacts}`,
  },
  {
    type: 'peering-set',
    key: 'AS64500:PRNG-NEW',
    text: `peering-set:    AS64500:PRNG-NEW
peering:        AS64501
${contacts}`,
  },
  {
    type: 'rtr-set',
    key: 'AS64500:RTRS-NEW',
    text: `rtr-set:        AS64500:RTRS-NEW
members:        rtr9.example.net
${contacts}`,
  },
  {
    type: 'inet-rtr',
    key: 'rtr9.example.net',
    text: `inet-rtr:       rtr9.example.net
local-as:       AS64500
ifaddr:         198.51.100.1 masklen 24
${contacts}`,
  },
  {
    type: 'poetic-form',
    key: 'FORM-NEW',
    text: `poetic-form:    FORM-NEW
admin-c:        AE1-TEST
${maintained}`,
  },
  {
    type: 'poem',
    key: 'POEM-NEW',
    text: `poem:           POEM-NEW
form:           FORM-NEW
text:           The tests are all green
author:         AE1-TEST
${maintained}`,
  },
];
