import { useTitle } from '../design/title.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './home-page.css';
import { emptyQuestion } from './question.js';
import { SearchForm } from './search-form.js';

/** Where everyone starts. */
export function HomePage() {
  useTitle('');
  return (
    <div class="home">
      <h1>Who holds which Internet number resources?</h1>
      <p class="soft">Addresses, prefixes, AS numbers, routes, reverse domains, and the people who answer for them.</p>
      <SearchForm question={emptyQuestion} autoFocus />
      <div class="examples">
        <section class="card">
          <h2>Find</h2>
          <p>
            An address or prefix shows who holds it and whom to write to about abuse; a name or handle shows a contact.
          </p>
        </section>
        <section class="card">
          <h2>
            <Link to={paths.create()}>Register</Link>
          </h2>
          <p>
            Create a maintainer and contacts, then the objects that they answer for. Every write is tried dry first.
          </p>
        </section>
        <section class="card">
          <h2>
            <Link to={paths.account}>Automate</Link>
          </h2>
          <p>Make an API key for your scripts. All that these pages do, the REST interface does.</p>
        </section>
      </div>
    </div>
  );
}
