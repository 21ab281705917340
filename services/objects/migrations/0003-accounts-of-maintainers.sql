-- Finds the mntners of an account: what their `auth: SSO` lines name, in lower case (subjects of accounts, or names).
-- Migration 0009 builds the index.
-- was 10e32e9a4df39db4cd5d460ecd29a116db8d8e8676aa11d2b0746eaf68ec4fee

create function sso_accounts(text text) returns text[] language sql immutable strict parallel safe as $$
  select array(select lower(line[1]) from regexp_matches(text, '^auth:\s*sso\s+(\S+)', 'gin') as line)
$$;
