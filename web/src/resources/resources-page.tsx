import { NoMaintainer, useOwnMaintainers } from '../account/own-maintainers.js';
import { OnlySignedIn } from '../account/sign-in-button.js';
import { listOwnSpace } from '../api/space.js';
import { Show, useLoad } from '../design/load.js';
import { useTitle } from '../design/title.js';
import type { ObjectName } from '../paths.js';
import { ExpiringKeys } from './expiring-keys.js';
import { HeldObjects } from './held-objects.js';
import { ObjectWarnings } from './object-warnings.js';
import { OwnSpace } from './own-space.js';
import './resources-page.css';
import { SpaceMap } from './space-map.js';

/** The resources of the account, or the map of the range of addresses in the address of the page. */
export function ResourcesPage({ query }: { readonly query: URLSearchParams }) {
  const space = query.get('space') ?? '';
  useTitle(space === '' ? 'My resources' : space);
  return (
    <OnlySignedIn
      title="My resources"
      invitation="Sign in to see what your maintainers hold, what is free in it, and what needs your attention."
    >
      {space === '' ? (
        <Overview />
      ) : (
        <SpaceMap key={space} range={space} length={Number(query.get('length')) || undefined} />
      )}
    </OnlySignedIn>
  );
}

function Overview() {
  const maintainers = useOwnMaintainers();
  return (
    <div class="stack">
      <h1>My resources</h1>
      <Show of={maintainers} what="your maintainers">
        {(own) => (own.length === 0 ? <NoMaintainer /> : <OverviewOf maintainers={own} />)}
      </Show>
    </div>
  );
}

function OverviewOf({ maintainers }: { readonly maintainers: readonly ObjectName[] }) {
  const own = useLoad('', listOwnSpace);
  // The content below would move down when the networks arrive.
  if (own.state === 'loading') return <OwnSpace own={own} />;
  return (
    <div class="beside">
      <div class="stack">
        <OwnSpace own={own} />
        <HeldObjects maintainers={maintainers} />
      </div>
      <div class="stack">
        <ObjectWarnings maintainers={maintainers} />
        <ExpiringKeys />
      </div>
    </div>
  );
}
