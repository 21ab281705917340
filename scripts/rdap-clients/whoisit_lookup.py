# Prints the results of whoisit for an address and an AS number, as JSON lines; whoisit finds the registry by its
# bootstrap files. Arguments: base URL of RDAP, address, AS number.
import json
import sys
import time
import urllib.request

import whoisit

base, address, as_number = sys.argv[1:]


def bootstrap(name):
    with urllib.request.urlopen(f'{base}/bootstrap/{name}.json') as response:
        return json.load(response)


names = {'asn': 'asn', 'dns': 'dns', 'ipv4': 'ipv4', 'ipv6': 'ipv6', 'object': 'object-tags'}
files = {ours: bootstrap(theirs) for ours, theirs in names.items()}
whoisit.load_bootstrap_data(json.dumps({'timestamp': int(time.time()), **files}), allow_insecure=True)
for found in (whoisit.ip(address), whoisit.asn(int(as_number))):
    entities = {role: [entity['handle'] for entity in held] for role, held in found['entities'].items()}
    print(json.dumps({'handle': found['handle'], 'name': found['name'], 'entities': entities}))
