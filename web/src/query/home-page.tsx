import { useTitle } from '../design/title.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './home-page.css';
import { emptyQuestion } from './question.js';
import { SearchForm } from './search-form.js';

export function HomePage() {
  useTitle('');
  return (
    <div class="home">
      <h1>Who holds which Internet number resources?</h1>
      <p class="soft">Addresses, prefixes, AS numbers, routes, reverse domains, and the people responsible for them.</p>
      <SearchForm question={emptyQuestion} autoFocus />
      <div class="tiles">
        <section class="card">
          <h2>Find</h2>
          <p class="flush small soft">
            An address or prefix shows its holder and its abuse contact; a name or handle shows a contact.{' '}
            <Link to={paths.bulk}>Bulk lookup</Link> finds many at a time, in a log for example.
          </p>
        </section>
        <section class="card">
          <h2>
            <Link to={paths.create()}>Register</Link>
          </h2>
          <p class="flush small soft">
            Create a maintainer and contacts, then your objects. Every write starts with a dry run.
          </p>
        </section>
        <section class="card">
          <h2>
            <Link to={paths.account}>Automate</Link>
          </h2>
          <p class="flush small soft">
            Create an API key for your scripts. The REST interface can do everything that these pages do.
          </p>
        </section>
      </div>
    </div>
  );
}
