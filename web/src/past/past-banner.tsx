import type { ComponentChildren } from 'preact';
import { Link } from '../router.js';
import './past-banner.css';

interface PastBannerProps {
  /** Address of the same page in the present. */
  readonly now: string;
  /** The subject of the page. Without it the page is of the present, and has no banner. */
  readonly children: ComponentChildren;
}

/** Says that a page is not of the present; announced to screen readers when the page opens. */
export function PastBanner({ now, children }: PastBannerProps) {
  return (
    <div role="status">
      {children && (
        <div class="past-banner note row spread">
          <div>{children}</div>
          <Link class="button slim" to={now} text="See now" />
        </div>
      )}
    </div>
  );
}
