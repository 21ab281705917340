# Prints the result of ipwhois for the network of an address, as JSON. Arguments: base URL of RDAP, address.
import json
import sys

import ipwhois.rdap
from ipwhois.net import Net

base, address = sys.argv[1:]
for registry in ipwhois.rdap.RIR_RDAP:
    ipwhois.rdap.RIR_RDAP[registry] = {'ip_url': base + '/ip/{0}', 'entity_url': base + '/entity/{0}'}
origin = {'asn_registry': 'ripencc', 'asn': '64500', 'asn_cidr': None, 'asn_country_code': 'NL', 'asn_date': None}
found = ipwhois.rdap.RDAP(Net(address)).lookup(asn_data=origin)
print(json.dumps({name: found[name] for name in ('network', 'entities', 'objects')}))
