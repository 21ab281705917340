import type { BrowserContext, Page } from 'playwright-core';

/** A page of the web interface, and how a test recognises it. */
interface ListedPage {
  readonly path: string;
  /** A heading that it has once it is loaded. */
  readonly heading: string | RegExp;
}

const inetnum = '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255';

/**
 * Every page of the web interface, for a user who is signed in as Alice. Tests check each one with axe and measure its
 * layout at the widths of phones and desktops. A new page has its line here.
 */
export const pageList: readonly ListedPage[] = [
  { path: '/', heading: 'Who holds' },
  { path: '/-/query?q=192.0.2.0/24&level=exact', heading: /AS64500/ },
  { path: '/-/query?q=192.0.2.0/24&as-of=2001-01-01', heading: 'Search' },
  { path: '/-/query?q=no-such-thing', heading: /No objects found/ },
  { path: '/-/query?q=192.0.2.77', heading: /is held by/ },
  { path: '/-/query?q=no-such-word&by=words', heading: /have the words/ },
  { path: '/-/bulk', heading: 'Bulk lookup' },
  { path: inetnum, heading: /192\.0\.2\.0/ },
  { path: `${inetnum}?view=tree`, heading: 'Above' },
  { path: '/-/object/TEST/aut-num/AS64500', heading: /AS64500/ },
  { path: '/-/object/TEST/aut-num/AS64500?view=referrers&type=route', heading: /refers? to it/ },
  { path: '/-/object/TEST/mntner/NOBODY-MNT', heading: 'Object not found' },
  { path: '/-/object/TEST/mntner/EXAMPLE-MNT?view=history', heading: 'Version 1' },
  { path: '/-/object/TEST/mntner/EXAMPLE-MNT?version=1', heading: /EXAMPLE-MNT/ },
  { path: '/-/object/TEST/mntner/EXAMPLE-MNT?as-of=2001-01-01', heading: 'The object did not exist then' },
  { path: '/-/object/TEST/mntner/EXAMPLE-MNT?view=referrers', heading: /\d objects refer to it/ },
  { path: '/-/object/TEST/mntner/EXAMPLE-MNT?view=referrers&type=inetnum', heading: /\d objects refer to it/ },
  { path: '/-/create', heading: 'Create an object' },
  { path: '/-/create/inetnum', heading: 'Create inetnum' },
  { path: '/-/create/first', heading: 'A maintainer and its contact' },
  { path: '/-/create/several', heading: 'Write several objects' },
  { path: '/-/create/domains?prefix=192.0.2.0/24', heading: 'Zones' },
  { path: '/-/edit/TEST/inetnum/192.0.2.0%20-%20192.0.2.255', heading: 'Mandatory' },
  { path: '/-/edit-many', heading: 'Edit many objects' },
  { path: '/-/resources', heading: 'My address space' },
  { path: '/-/resources?space=192.0.2.0/24', heading: 'Next free prefix' },
  { path: '/-/account', heading: 'API keys' },
  { path: '/-/webhooks', heading: 'Your webhooks' },
  { path: '/-/sources', heading: 'Sources' },
  { path: '/-/template/inetnum', heading: 'Attributes of inetnum' },
  { path: '/-/nowhere', heading: 'Page not found' },
];

/** A page mostly waits for responses. */
const tabs = 4;

/** Opens a tab for listed pages; returns a function that opens one of them there and finds its faults. */
type OpenTab = (tab: Page) => Promise<(listed: ListedPage) => Promise<readonly string[]>>;

/** The faults of every page of the list, several at a time in tabs of a browser. */
export async function faultsOfAll(context: BrowserContext, openTab: OpenTab): Promise<string[]> {
  const left = [...pageList];
  const found = Array.from({ length: tabs }, async () => {
    const faultsOf = await openTab(await context.newPage());
    const faults: string[] = [];
    for (let next = left.shift(); next !== undefined; next = left.shift()) faults.push(...(await faultsOf(next)));
    return faults;
  });
  return (await Promise.all(found)).flat();
}
