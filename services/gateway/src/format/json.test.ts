import { expect, it } from 'vitest';
import * as given from './entries.fixture.js';
import { createWriter, render } from './render.js';
import type { Resource } from './resource.js';

const terms = `  "terms-and-conditions" : {
    "type" : "locator",
    "href" : "https://example.net/terms"
  }`;

const autNum = `{
      "type" : "aut-num",
      "link" : {
        "type" : "locator",
        "href" : "https://rest.example.net/test/aut-num/AS64500"
      },
      "source" : {
        "id" : "test"
      },
      "primary-key" : {
        "attribute" : [ {
          "name" : "aut-num",
          "value" : "AS64500"
        } ]
      },
      "attributes" : {
        "attribute" : [ {
          "name" : "aut-num",
          "value" : "AS64500"
        }, {
          "name" : "as-name",
          "value" : "EXAMPLE-AS",
          "comment" : "our \\"network\\""
        }, {
          "link" : {
            "type" : "locator",
            "href" : "https://rest.example.net/test/organisation/ORG-EX1-TEST"
          },
          "name" : "org",
          "value" : "ORG-EX1-TEST",
          "referenced-type" : "organisation"
        }, {
          "name" : "remarks",
          "value" : ""
        }, {
          "name" : "source",
          "value" : "TEST",
          "comment" : "Filtered"
        } ]
      }
    }`;
const route = `{
      "type" : "route",
      "link" : {
        "type" : "locator",
        "href" : "https://rest.example.net/test/route/192.0.2.0/24AS64500"
      },
      "source" : {
        "id" : "test"
      },
      "primary-key" : {
        "attribute" : [ {
          "name" : "route",
          "value" : "192.0.2.0/24"
        }, {
          "name" : "origin",
          "value" : "AS64500"
        } ]
      },
      "attributes" : {
        "attribute" : [ {
          "name" : "route",
          "value" : "192.0.2.0/24"
        } ]
      },
      "tags" : {
        "tag" : [ {
          "id" : "unref",
          "data" : "14 <days>"
        } ]
      },
      "version" : 2
    }`;

it.each<[string, Resource, string]>([
  [
    'one object',
    given.lookup,
    `{
  "objects" : {
    "object" : [ ${autNum} ]
  },
${terms},
  "version" : {
    "version" : "1.2.3",
    "timestamp" : "2025-01-03T00:00:00Z",
    "commit-id" : "0a1b2c3"
  }
}`,
  ],
  ['two objects, tags and version', given.two, `{\n  "objects" : {\n    "object" : [ ${autNum}, ${route} ]\n  }\n}`],
  ['an empty list of objects', given.emptyList, `{\n  "objects" : {\n    "object" : [ ]\n  },\n${terms}\n}`],
  ['nothing', given.nothing, '{ }'],
  [
    'messages',
    given.refused,
    `{
  "link" : {
    "type" : "locator",
    "href" : "https://rest.example.net/NOWHERE/person/EX1-TEST?a=1&b=2"
  },
  "errormessages" : {
    "errormessage" : [ {
      "severity" : "Error",
      "attribute" : {
        "name" : "admin-c",
        "value" : "        EX1-TEST"
      },
      "text" : "\\"%s\\" is not valid for this object type",
      "args" : [ {
        "value" : "admin-c"
      } ]
    }, {
      "severity" : "Warning",
      "text" : "A 100%% warning"
    }, {
      "severity" : "Info",
      "text" : "Dry-run performed"
    } ]
  },
${terms}
}`,
  ],
  [
    'sources',
    given.sources,
    `{
  "link" : {
    "type" : "locator",
    "href" : "https://rest.example.net/metadata/sources"
  },
  "service" : {
    "name" : "getSupportedDataSources"
  },
  "sources" : {
    "source" : [ {
      "name" : "TEST",
      "id" : "test"
    } ]
  },
  "grs-sources" : {
    "source" : [ {
      "name" : "EXAMPLE-GRS",
      "id" : "example-grs",
      "grs-id" : "example-grs"
    } ]
  }
}`,
  ],
  [
    'a template',
    given.template,
    `{
  "service" : {
    "name" : "getObjectTemplate"
  },
  "templates" : {
    "template" : [ {
      "type" : "route",
      "source" : {
        "id" : "test"
      },
      "attributes" : {
        "attribute" : [ {
          "name" : "route",
          "requirement" : "MANDATORY",
          "cardinality" : "SINGLE",
          "keys" : [ "PRIMARY_KEY", "LOOKUP_KEY" ]
        }, {
          "name" : "descr",
          "requirement" : "OPTIONAL",
          "cardinality" : "MULTIPLE"
        } ]
      }
    } ]
  }
}`,
  ],
  [
    'versions',
    given.versions,
    `{
  "versions" : {
    "type" : "aut-num",
    "key" : "AS64500",
    "version" : [ {
      "revision" : 1,
      "date" : "2025-01-01T00:00:00Z",
      "operation" : "ADD/UPD"
    }, {
      "revision" : 12,
      "date" : "2025-02-01T10:20:30Z",
      "operation" : "DEL"
    } ]
  },
  "version" : {
    "version" : "1.2.3"
  }
}`,
  ],
])('JSON shows %s', (_what, resource, expected) => {
  expect(render('json', resource)).toBe(expected);
  JSON.parse(expected);
});

it('keeps every value: line ends, quotes, control and astral characters', () => {
  const value = 'a\n\tb\r "\\" \u0000 \u2028 é 😀';
  const entry = { ...given.autNum, attributes: [{ name: 'remarks', value }] };
  const document = JSON.parse(render('json', { head: {}, objects: [entry] }));
  expect(document.objects.object[0].attributes.attribute).toEqual([{ name: 'remarks', value }]);
});

it('streams: a late message comes after the objects in a well-formed document', () => {
  const writer = createWriter('json');
  const pieces = [writer.open({ listsObjects: true }), writer.object(given.autNum)];
  pieces.push(writer.messages(given.notFound.messages!), writer.close({}));
  const document = JSON.parse(pieces.join(''));
  expect(Object.keys(document)).toEqual(['objects', 'errormessages']);
});
