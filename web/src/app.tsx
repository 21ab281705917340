import { AccountPage, WebhooksPage } from './account/account-page.js';
import { HttpsAddressProvider } from './account/https-address.js';
import { OwnMaintainersProvider } from './account/own-maintainers.js';
import { SessionProvider } from './account/session.js';
import { BulkPage } from './bulk/bulk-page.js';
import { Frame } from './design/frame.js';
import { useTitle } from './design/title.js';
import { CreatePage, EditPage } from './edit/edit-page.js';
import { EditManyPage } from './edit-many/edit-many-page.js';
import { ObjectPage } from './object/object-page.js';
import { TemplatePage } from './object/template-page.js';
import { pastOf } from './past/past.js';
import { nameOfPath } from './paths.js';
import { HomePage } from './query/home-page.js';
import { QueryPage } from './query/query-page.js';
import { useSlashKey } from './query/search-box.js';
import { ResourcesPage } from './resources/resources-page.js';
import { Link, type Place, usePlace } from './router.js';
import { SourcesPage } from './sources/sources-page.js';

/** The whole application. */
export function App() {
  const place = usePlace();
  useSlashKey();
  return (
    <SessionProvider>
      <OwnMaintainersProvider>
        <HttpsAddressProvider>
          <Frame place={place}>{pageOf(place)}</Frame>
        </HttpsAddressProvider>
      </OwnMaintainersProvider>
    </SessionProvider>
  );
}

function pageOf({ path, query }: Place) {
  if (path === '/') return <HomePage />;
  const [, page = '', rest = ''] = /^\/-\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  const name = nameOfPath(rest);
  switch (page) {
    case 'query':
      return <QueryPage query={query} />;
    case 'object':
      return name ? <ObjectPage key={rest} name={name} query={query} {...shownOf(query)} /> : <NoPage />;
    case 'template':
      return <TemplatePage key={rest} type={rest} />;
    case 'bulk':
      return <BulkPage />;
    case 'create':
      return <CreatePage key={`${path}?${query}`} type={rest} begin={query} />;
    case 'edit':
      return name ? (
        <EditPage key={`${path}?${query}`} name={name} restore={Number(query.get('restore')) || 0} />
      ) : (
        <NoPage />
      );
    case 'resources':
      return <ResourcesPage query={query} />;
    case 'edit-many':
      return <EditManyPage />;
    case 'account':
      return <AccountPage />;
    case 'webhooks':
      return <WebhooksPage />;
    case 'sources':
      return <SourcesPage />;
    default:
      return <NoPage />;
  }
}

/** The view of an object that an address names; its history is always all of it. */
function shownOf(query: URLSearchParams) {
  const view = query.get('view') ?? '';
  return { view, past: view === 'history' ? undefined : pastOf(query) };
}

function NoPage() {
  useTitle('Page not found');
  return (
    <section>
      <h1>Page not found</h1>
      <p>
        <Link to="/">Search the registry</Link>
      </p>
    </section>
  );
}
