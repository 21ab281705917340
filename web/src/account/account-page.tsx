import type { ComponentChildren } from 'preact';
import { useTitle } from '../design/title.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './account.css';
import { ApiKeys } from './api-keys.js';
import { MaintainerList } from './maintainer-list.js';
import { useSession } from './session.js';
import { OnlySignedIn } from './sign-in-button.js';
import { StoredToday } from './stored.js';
import { Webhooks } from './webhooks.js';

/** The account page: maintainers and API keys. */
export function AccountPage() {
  return (
    <PageOfAccount
      title="Account"
      invitation="Sign in to see the maintainers that you act for, and to create API keys for your scripts."
    >
      <StoredToday />
      <p>
        <Link to={paths.webhooks}>Webhooks</Link> tell your programs what changes.
      </p>
      <MaintainerList />
      <ApiKeys />
    </PageOfAccount>
  );
}

export function WebhooksPage() {
  return (
    <PageOfAccount title="Webhooks" invitation="Sign in to let the registry tell your programs what changes.">
      <Webhooks />
    </PageOfAccount>
  );
}

interface PageOfAccountProps {
  readonly title: string;
  /** What there is after signing in. */
  readonly invitation: string;
  readonly children: ComponentChildren;
}

function PageOfAccount({ title, invitation, children }: PageOfAccountProps) {
  useTitle(title);
  const { account } = useSession();
  return (
    <OnlySignedIn title={title} invitation={invitation}>
      <div class="stack">
        <h1>{title}</h1>
        <p class="soft">Signed in as {account}.</p>
        {children}
      </div>
    </OnlySignedIn>
  );
}
